import { Unavailable } from '../../../base/errors/unavailable.ts';
import { codeOfFailure } from '../code-of-failure.ts';

const MAX_TRIES = 5;
const PAUSE_MS = 20;

/** Reports whether Postgres rolled a transaction back because of a deadlock or a serialization failure. */
const isRolledBack = (error: unknown): boolean => codeOfFailure(error)?.startsWith('40') ?? false;

/**
 * Reports whether a failed statement is repeated.
 * Its outcome is unknown if the database was unavailable.
 */
export const isRetried = (error: unknown): boolean => error instanceof Unavailable || isRolledBack(error);

/** Repeats a transaction that Postgres rolled back for the sake of another one. */
export async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isRolledBack(error) || tries === MAX_TRIES) throw error;
      await Bun.sleep(PAUSE_MS * tries);
    }
  }
}
