/** Waits for a time or until the client disconnects. */
export function wait(durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, durationMs);
    signal.addEventListener('abort', finish, { once: true });
  });
}

export function untilLeft(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/**
 * Waits for one turn of the event loop, in which the server sends its pending bytes. Without it, neighbouring
 * pieces are sent together.
 */
export const untilSent = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
