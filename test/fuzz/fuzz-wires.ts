/** Every wire, with the path behind an upstream's address at which the simulator serves it. */
export const wirePaths: Record<string, string> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '/v1',
  'google-generate': '/v1beta',
  'bedrock-converse': '',
  'openai-completions': '/v1',
  'openai-embeddings': '/v1',
};

export const wires = Object.keys(wirePaths);

/** What no client may ever see. */
export const UPSTREAM_KEY = 'upstream-key-of-the-operator';
