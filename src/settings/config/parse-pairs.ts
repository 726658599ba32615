/**
 * Parses `name=value,name=value` with percent-encoded values. Returns undefined if the text has a different
 * form.
 */
export function parsePairs(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at)).trim();
    const value = decode(pair.slice(at + 1).trim());
    if (name === '' || value === undefined) return undefined;
    pairs[name] = value;
  }
  return pairs;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
