import { StoreProblem } from '../../store/store-problem.ts';

const PATIENCE_MS = 30_000;
const RETRY_MS = 500;

export type Patience = {
  /** Reports whether the start was stopped, so it must not wait any longer. */
  isStopping(): boolean;
  /** Milliseconds of a clock that is never set. */
  now?: () => number;
};

/**
 * Starts again if the database server is lost in the middle of a start, for at most 30 s. A failed start has
 * closed what it opened.
 */
export async function startPatiently<T>(
  start: () => Promise<T>,
  { isStopping, now = () => performance.now() }: Patience,
): Promise<T> {
  const startedAt = now();
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const isTransient = error instanceof StoreProblem && error.isTransient;
      if (!isTransient || isStopping() || now() - startedAt >= PATIENCE_MS) throw error;
    }
    await Bun.sleep(RETRY_MS);
  }
}
