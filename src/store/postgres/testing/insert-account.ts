import type { Queries } from '../queries.ts';

/** Adds an account of which only the id and the version matter. */
export const insertAccount = (queries: Queries, id: string): Promise<number> =>
  queries.run(
    `INSERT INTO account (id, version, name, email_verified, plan, status, cycle_started_at, cycle_day, created_at)
     VALUES ($1, 1, 'name', false, 'free', 'active', 0, 1, 0)`,
    [id],
  );

/** Adds a key of which only the id and the version matter. */
export const insertKey = (
  queries: Queries,
  { id, accountId }: { id: string; accountId: string },
): Promise<number> =>
  queries.run(
    `INSERT INTO api_key (id, account_id, version, hash, hint, payg, created_at) VALUES ($1, $2, 1, $1, '', false, 0)`,
    [id, accountId],
  );
