/** The protocols that a provider can serve. */
export const wires = [
  'openai-chat',
  'openai-responses',
  'openai-completions',
  'openai-embeddings',
  'openai-images',
  'openai-audio',
  'openai-moderations',
  'cohere-rerank',
  'anthropic-messages',
  'google-generate',
  'google-interactions',
  'google-embeddings',
  'bedrock-converse',
] as const;

export type Wire = (typeof wires)[number];
