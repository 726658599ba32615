/** Every wire, with the simulator's path for it. */
export const wirePaths: Record<string, string> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '/v1',
  'google-generate': '/v1beta',
  'google-interactions': '/v1beta',
  'bedrock-converse': '',
  'openai-completions': '/v1',
  'openai-embeddings': '/v1',
};

export const wires = Object.keys(wirePaths);

/** Words that no client may see. */
export const UPSTREAM_KEY = 'upstream-key-of-the-operator';
