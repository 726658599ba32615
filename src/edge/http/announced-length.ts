/** Returns the length of a body that its head announces, or undefined if it does not. */
export function announcedLength(headers: Headers): number | undefined {
  const announced = headers.get('content-length');
  return announced === null ? undefined : Number.parseInt(announced, 10);
}
