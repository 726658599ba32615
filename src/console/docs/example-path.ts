const MODEL_PATH = /^\/v1(beta)?\/models\//;
const EMBEDDINGS_METHOD = /embedContents?$/i;

/**
 * Returns a path with examples in place of its parameters. The placeholder of a model is filled in later.
 * Other parameters are words in capitals for the reader to replace.
 */
export function examplePath(path: string): string {
  if (!MODEL_PATH.test(path)) return path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  return path.replace('{id}', EMBEDDINGS_METHOD.test(path) ? '{embedding_model}' : '{model}');
}
