import type { Json } from './call.ts';

const exampleOf = (document: Json, path: string): string =>
  document.paths[path].post.requestBody.content['application/json'].example.model;

/** Puts a model that the method of the path can call into a path of Gemini's dialect. */
export const withModel = (document: Json, path: string): string =>
  path.replace(
    '/v1beta/models/{id}',
    `/v1beta/models/${exampleOf(document, path.includes('mbedContent') ? '/v1/embeddings' : '/v1/chat/completions')}`,
  );
