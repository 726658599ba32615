import { HOUR_MS } from '../../../base/lib/units.ts';
import type { Database } from '../database.ts';
import type { Queries } from '../queries.ts';

/** The verification of an account with millions of entries takes minutes. */
const DEADLINE_MS = HOUR_MS;

/** Runs work that no request waits for in one transaction. */
export const longTransaction = <T>(database: Database, work: (queries: Queries) => Promise<T>): Promise<T> =>
  database.transaction(work, { deadlineMs: DEADLINE_MS });
