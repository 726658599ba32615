/** The forms of a vector in an answer: a list of numbers, or 32-bit floats in base64. */
export type Encoding = 'float' | 'base64';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Reads a vector in either form. Returns undefined for a value that is neither. */
export function readVector(value: unknown): number[] | undefined {
  if (Array.isArray(value)) return value.every(Number.isFinite) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 0 || bytes.length % FLOAT_BYTES !== 0) return undefined;
  return Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
}

/** Writes a vector in the form that the client asked for. */
export function formatVector(vector: readonly number[], encoding: Encoding): number[] | string {
  if (encoding === 'float') return [...vector];
  const bytes = Buffer.alloc(vector.length * FLOAT_BYTES);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * FLOAT_BYTES);
  return bytes.toString('base64');
}

/** Returns the width of a vector without decoding it. The result is zero if the value is not a vector. */
export function widthOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'string') return 0;
  return Math.floor((value.replace(/=+$/, '').length * 3) / 4) / FLOAT_BYTES;
}

/** Keeps the first dimensions and scales them to length 1, as models with adjustable widths do. */
export function shortenVector(vector: readonly number[], width: number): number[] {
  const head = vector.slice(0, width);
  const length = Math.hypot(...head) || 1;
  return head.map((value) => value / length);
}
