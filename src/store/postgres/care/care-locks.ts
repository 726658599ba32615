import type { Queries } from '../database.ts';

/** Keys of advisory locks, held until their transaction ends. `roll_up_usage` has the first one too. */
const LOCKS = { rollUp: 7_465_823_642, archive: 7_465_823_643 } as const;

export type CareLock = keyof typeof LOCKS;

export async function takeLock(queries: Queries, lock: CareLock): Promise<void> {
  await queries.all('SELECT pg_advisory_xact_lock($1)', [LOCKS[lock]]);
}

/** Returns false if another transaction has the lock. */
export async function tryLock(queries: Queries, lock: CareLock): Promise<boolean> {
  const row = await queries.first('SELECT pg_try_advisory_xact_lock($1) AS taken', [LOCKS[lock]]);
  return row?.taken === true;
}
