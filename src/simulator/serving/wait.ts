/** Waits, or until the client has left. */
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
 * One turn of the event loop, in which the server sends what it has; without it neighbours leave as one
 * piece.
 */
export const untilSent = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
