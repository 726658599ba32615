const POLL_MS = 10;

/** Waits until a condition is true. Fails if it is not true in time. */
export async function waitFor(isSo: () => boolean | Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`not so after ${timeoutMs} ms: ${isSo}`);
    await Bun.sleep(POLL_MS);
  }
}
