/**
 * Returns JSON text with keys in order at every level and without white space, as Claude
 * Code forms it for its checksum.
 */
export const canonicalJson = (value: unknown): string => JSON.stringify(inOrder(value));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.keys(value)
    .sort()
    .map((key) => [key, inOrder((value as Record<string, unknown>)[key])]);
  return Object.fromEntries(sorted);
}
