const OF_MODEL = /^\/v1(beta)?\/models\//;
const OF_EMBEDDINGS = /embedContents?$/i;

/**
 * Returns a path with examples in place of its parameters: the placeholder of a model, which the filler of
 * examples knows, or an upper-case word to replace.
 */
export function examplePath(path: string): string {
  if (!OF_MODEL.test(path)) return path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  return path.replace('{id}', OF_EMBEDDINGS.test(path) ? '{embedding_model}' : '{model}');
}
