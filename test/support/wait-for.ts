const POLL_MS = 10;

/** Waits until something is so, and fails when it does not become so in time. */
export async function waitFor(isSo: () => boolean | Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`not so after ${timeoutMs} ms: ${isSo}`);
    await Bun.sleep(POLL_MS);
  }
}
