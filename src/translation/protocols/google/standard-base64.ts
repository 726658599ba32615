/**
 * Returns base64 in the standard alphabet and with its padding. The vendor's clients may send either
 * alphabet, with or without padding, and other vendors know one form only.
 *
 * @example
 * standardBase64('_-8'); // → '/+8='
 */
export function standardBase64(data: string): string {
  const standard = /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data;
  return standard.length % 4 === 0 ? standard : standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}
