/** Makes the error of a flush that the disk refuses. */
export const flushError = (call: 'fsync' | 'fdatasync'): Error =>
  Object.assign(new Error(`EIO: i/o error, ${call}`), { code: 'EIO' });
