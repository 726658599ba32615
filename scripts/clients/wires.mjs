/**
 * The wires that can carry a conversation with tools: how the simulator serves each, and the model that is
 * only reachable through it.
 */
export const wires = [
  { id: 'messages', wire: 'anthropic-messages', path: '/v1' },
  { id: 'responses', wire: 'openai-responses', path: '/v1' },
  { id: 'chat', wire: 'openai-chat', path: '/v1' },
  { id: 'google', wire: 'google-generate', path: '/v1beta' },
  { id: 'interactions', wire: 'google-interactions', path: '/v1beta' },
  { id: 'bedrock', wire: 'bedrock-converse', path: '' },
].map((row) => ({ ...row, model: `session-${row.id}` }));
