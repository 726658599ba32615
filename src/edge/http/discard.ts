/** Frees bytes at once, without waiting for the collector. No other view of the buffer may be in use. */
export function discard({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
