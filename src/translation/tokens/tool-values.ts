// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters
const ESCAPED = /["\\\x00-\x1f\ud800-\udfff]/;

/** Returns the lines of a text. A value that is not a text is written as JSON. */
export function linesIn(value: unknown): string[] {
  if (value === undefined) return [];
  return (typeof value === 'string' ? value : inJson(value)).split(/\r\n|[\r\n]/);
}

/**
 * Writes a value as JSON. Texts that JSON escapes follow as they are, because neither form always has more
 * tokens.
 */
export function inJson(value: unknown): string {
  const escaped: string[] = [];
  const json = JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'string' && isEscaped(member)) escaped.push(member);
    return member;
  });
  const unescaped = escaped.map((text) => `\n// "${linesIn(text).join('\n// ')}"`);
  return `${json ?? ''}${unescaped.join('')}`;
}

const isEscaped = (text: string): boolean =>
  ESCAPED.test(text) && JSON.stringify(text).length !== text.length + 2;
