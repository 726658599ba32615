import type { Wire } from '../../translation/canonical/wire.ts';

/** The list of models on each wire, which costs nothing. Bedrock has its list on another host. */
export const listPaths: Partial<Record<Wire, string>> = {
  'openai-chat': '/models',
  'openai-responses': '/models',
  'openai-completions': '/models',
  'openai-embeddings': '/models',
  'openai-images': '/models',
  'openai-audio': '/models',
  'openai-moderations': '/models',
  'anthropic-messages': '/models?limit=1000',
  'google-generate': '/models?pageSize=1000',
  'google-interactions': '/models?pageSize=1000',
  'google-embeddings': '/models?pageSize=1000',
};
