/**
 * Returns base64 in the standard alphabet. The vendor's clients may send either alphabet, and other vendors
 * know one of them only.
 *
 * @example
 * standardBase64('_-8='); // → '/+8='
 */
export const standardBase64 = (data: string): string =>
  /[-_]/.test(data) ? data.replaceAll('-', '+').replaceAll('_', '/') : data;
