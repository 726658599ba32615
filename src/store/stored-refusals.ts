import { HOUR_MS } from '../base/lib/units.ts';
import type { RefusalGroup, RefusalQuestion, RefusalStore } from '../watch/refusals/refusal-store.ts';
import type { RefusalSum } from '../watch/refusals/refusal-sum.ts';
import type { RecordQueries } from './record-queries.ts';
import { number, text } from './row-columns.ts';

/** Sums of refusals by hour, in both kinds of databases. */
export class StoredRefusals implements RefusalStore {
  readonly #queries: RecordQueries;
  readonly #save: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = saveFrom(queries.forms.elementsOf('$1'));
  }

  async saveRefusals(sums: readonly RefusalSum[]): Promise<void> {
    // biome-ignore format: a line for each group
    const rows = sums.map(({ hour, accountId, code, cause, node, part, count, firstAt, lastAt }) => [
      hour, accountId, code, cause, node,
      part, count, firstAt, lastAt,
    ]);
    await this.#queries.run(this.#save, [JSON.stringify(rows)]);
  }

  async listRefusals({ from, to, account }: RefusalQuestion): Promise<RefusalGroup[]> {
    const rows = await this.#queries.all(selectGroupsSql, [
      Math.floor(from / HOUR_MS),
      Math.ceil(to / HOUR_MS),
      from,
      to,
      account ?? null,
    ]);
    return rows.map((row) => ({
      code: text(row, 'code'),
      cause: text(row, 'cause'),
      count: number(row, 'times'),
      accounts: number(row, 'accounts'),
      account: number(row, 'accounts') === 1 ? text(row, 'account') : null,
      firstAt: number(row, 'first_at'),
      lastAt: number(row, 'last_at'),
    }));
  }

  async sweepRefusals(hoursBefore: number): Promise<void> {
    await this.#queries.run('DELETE FROM refusal_hour WHERE hour < $1', [hoursBefore]);
  }
}

const saveFrom = (elements: string): string => `
  INSERT INTO refusal_hour (hour, account_id, code, cause, node, part, times, first_at, last_at)
  SELECT CAST(value ->> 0 AS bigint), value ->> 1, value ->> 2, value ->> 3, value ->> 4,
    CAST(value ->> 5 AS bigint), CAST(value ->> 6 AS bigint), CAST(value ->> 7 AS bigint), CAST(value ->> 8 AS bigint)
  FROM ${elements} WHERE true
  ON CONFLICT (hour, account_id, code, cause, node, part) DO UPDATE SET
    times = excluded.times, first_at = excluded.first_at, last_at = excluded.last_at`;

/** A sum counts whole if its first and last refusal leave open that one was in the span. */
const selectGroupsSql = `
  SELECT code, cause, SUM(times) AS times, COUNT(DISTINCT NULLIF(account_id, '')) AS accounts,
    MAX(account_id) AS account, MIN(first_at) AS first_at, MAX(last_at) AS last_at
  FROM refusal_hour
  WHERE hour >= $1 AND hour < $2 AND last_at >= $3 AND first_at < $4
    AND account_id = COALESCE(CAST($5 AS text), account_id)
  GROUP BY code, cause ORDER BY SUM(times) DESC, code, cause`;
