import type { ModelKind } from '../../translation/canonical/model-kind.ts';

/** The endpoints that serve models of each kind. */
export const endpointsOf: Readonly<Record<ModelKind, readonly [string, ...string[]]>> = {
  chat: ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/completions'],
  embedding: ['/v1/embeddings'],
  image: ['/v1/images/generations', '/v1/images/edits'],
  speech: ['/v1/audio/speech'],
  transcription: ['/v1/audio/transcriptions', '/v1/audio/translations'],
  rerank: ['/v1/rerank'],
  moderation: ['/v1/moderations'],
};
