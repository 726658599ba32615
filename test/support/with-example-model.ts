import type { Json } from './call.ts';

const exampleModel = (document: Json, path: string): string =>
  document.paths[path].post.requestBody.content['application/json'].example.model;

/**
 * Replaces `{id}` in a path of Gemini's dialect by a model that its method can call. The examples of the
 * description name the models.
 */
export function withExampleModel(document: Json, path: string): string {
  const isEmbedding = /:(embedContent|batchEmbedContents)$/.test(path);
  const model = exampleModel(document, isEmbedding ? '/v1/embeddings' : '/v1/chat/completions');
  return path.replace('/v1beta/models/{id}', `/v1beta/models/${model}`);
}
