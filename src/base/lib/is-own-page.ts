/** Any origin works, since a path names no origin. */
const ORIGIN = 'http://origin.invalid';

/**
 * Reports whether a text is the address of a page of this server: a path that a browser resolves to the same
 * origin. Browsers drop tabs and line breaks from addresses and read a backslash as a slash, so an address
 * with any of them is refused.
 */
export function isOwnPage(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  if (!text.startsWith('/') || /[\u0000- \u007f-\u00a0\\]/.test(text)) return false;
  if (!URL.canParse(text, ORIGIN)) return false;
  const page = new URL(text, ORIGIN);
  return page.origin === ORIGIN && !page.pathname.startsWith('//');
}
