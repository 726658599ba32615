/** Joins pieces of a message. Each UTF-16 unit of a string is one byte. */
export const joinBytes = (...pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> =>
  Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)));
