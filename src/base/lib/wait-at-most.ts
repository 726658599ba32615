/** Waits for the end of work, but no longer than a time. Work that takes longer goes on. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
