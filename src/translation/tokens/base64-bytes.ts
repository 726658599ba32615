const BYTES_PER_CHARACTER = 3 / 4;

/** Returns the number of bytes that a text in base64 stands for, or up to two more if it is padded. */
export const base64Bytes = (length: number): number => length * BYTES_PER_CHARACTER;
