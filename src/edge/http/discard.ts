/** Gives bytes that nobody needs any more back at once, and not when the collector finds out: nobody may have another view of them. */
export function discard({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
