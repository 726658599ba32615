const INTEGER = /^[-+]?[0-9]+$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const WORDS = new Map<string, unknown>([
  ...['null', 'Null', 'NULL', '~'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/** Reads a text like an unquoted YAML scalar. An empty text stays text. */
export function readPlainScalar(text: string): unknown {
  if (WORDS.has(text)) return WORDS.get(text);
  return INTEGER.test(text) || FLOAT.test(text) ? Number(text) : text;
}
