import { lookUp } from '../../base/lib/records.ts';

/** The operation of each method of a model, which Google's clients name after its id. */
const googleMethods = {
  generateContent: 'generate_content',
  streamGenerateContent: 'generate_content',
  embedContent: 'embeddings',
  batchEmbedContents: 'embeddings',
} as const;

const methodsBelow = (base: string): [route: string, operation: string][] =>
  Object.entries(googleMethods).map(([method, operation]) => [`${base}/models/{id*}:${method}`, operation]);

/** The operation of each endpoint. */
const operations: Readonly<Record<string, string>> = {
  '/v1/chat/completions': 'chat',
  '/v1/messages': 'chat',
  '/v1/responses': 'chat',
  '/v1/responses/compact': 'chat',
  '/v1beta/interactions': 'chat',
  '/v1/interactions': 'chat',
  ...Object.fromEntries(['/v1beta', '/v1'].flatMap(methodsBelow)),
  '/v1/completions': 'text_completion',
  '/v1/embeddings': 'embeddings',
  '/v1/images/generations': 'generate_content',
  '/v1/images/edits': 'generate_content',
  '/v1/audio/speech': 'generate_content',
  '/v1/audio/transcriptions': 'generate_content',
  '/v1/audio/translations': 'generate_content',
  // The conventions have no word for these.
  '/v1/rerank': 'rerank',
  '/v1/moderations': 'moderation',
  // The items of batches.
  '/v1/messages/batches/{id}': 'chat',
  '/v1/batches/{id}': 'chat',
};

/** Returns the operation of a route, or undefined for a route that calls no model. */
export const operationOf = (route: string): string | undefined => lookUp(operations, route);

/**
 * The conventions' names of providers that the gateway calls otherwise. Any other provider is named by its
 * id.
 */
const wellKnownProviders: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  'azure-dated': 'azure.ai.openai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  alibaba: 'alibaba_cloud',
  xai: 'x_ai',
};

/** Returns the conventions' name of a provider. */
export const providerNameOf = (id: string): string => lookUp(wellKnownProviders, id) ?? id;
