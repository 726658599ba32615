/** The endpoints whose bodies a quote can be for. */
export const quotedPaths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  images: '/v1/images/generations',
  edits: '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
  rerank: '/v1/rerank',
  moderations: '/v1/moderations',
  generate: '/v1beta/models/{id}:generateContent',
  stream: '/v1beta/models/{id}:streamGenerateContent',
  embedOne: '/v1beta/models/{id}:embedContent',
  embedList: '/v1beta/models/{id}:batchEmbedContents',
} as const;
