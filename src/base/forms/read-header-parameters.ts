/**
 * `;name=token` or `;name="text"`. Within quotes, a backslash escapes only a quote or a backslash: browsers
 * on Windows send paths as they are.
 */
const PARAMETER =
  /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|([^\s";]+)))?/y;

/**
 * Reads the parameters of a header's value, from the first semicolon on. Returns undefined if they are
 * malformed or one occurs twice.
 *
 * @example
 * readHeaderParameters('; name="file"; filename="a.png"'); // → new Map([['name', 'file'], ['filename', 'a.png']])
 */
export function readHeaderParameters(text: string): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  const rest = text.trimEnd();
  PARAMETER.lastIndex = 0;
  while (PARAMETER.lastIndex < rest.length) {
    const match = PARAMETER.exec(rest);
    if (!match) return undefined;
    const [, name, quoted, token] = match;
    if (name === undefined) continue; // an empty parameter, as a final semicolon makes it
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, quoted === undefined ? token! : quoted.replace(/\\(["\\])/g, '$1'));
  }
  return parameters;
}
