import { advisoryLocks } from '../advisory-locks.ts';
import type { Queries } from '../queries.ts';

/** Locks that are held until their transaction ends. `roll_up_usage` takes the first one too. */
const LOCKS = { rollUp: advisoryLocks.rollUpUsage, archive: advisoryLocks.archiveEntries } as const;

export type CareLock = keyof typeof LOCKS;

export async function takeLock(queries: Queries, lock: CareLock): Promise<void> {
  await queries.all('SELECT pg_advisory_xact_lock($1)', [LOCKS[lock]]);
}

/** Returns false if another transaction has the lock. */
export async function tryLock(queries: Queries, lock: CareLock): Promise<boolean> {
  const row = await queries.first('SELECT pg_try_advisory_xact_lock($1) AS taken', [LOCKS[lock]]);
  return row?.taken === true;
}
