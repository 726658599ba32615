import { HOUR_MS } from '../base/lib/units.ts';
import type { RefusalGroup, RefusalQuestion, RefusalStore } from '../watch/refusals/refusal-store.ts';
import type { RefusalSum } from '../watch/refusals/refusal-sum.ts';
import type { RecordQueries } from './record-queries.ts';
import { replaceRows, type WrittenColumns, type WrittenRow } from './replace-rows.ts';
import { number, text } from './row-columns.ts';

const columns = {
  hour: 'bigint',
  account_id: 'text',
  code: 'text',
  cause: 'text',
  node: 'text',
  part: 'bigint',
  times: 'bigint',
  first_at: 'bigint',
  last_at: 'bigint',
} as const satisfies WrittenColumns;

const key = ['hour', 'account_id', 'code', 'cause', 'node', 'part'];

/** A sum counts whole if its first and last refusal leave open that one was in the span. */
const selectGroupsSql = `
  SELECT code, cause, SUM(times) AS times, COUNT(DISTINCT NULLIF(account_id, '')) AS accounts,
    MAX(account_id) AS account, MIN(first_at) AS first_at, MAX(last_at) AS last_at
  FROM refusal_hour
  WHERE hour >= $1 AND hour < $2 AND last_at >= $3 AND first_at < $4
    AND account_id = COALESCE(CAST($5 AS text), account_id)
  GROUP BY code, cause ORDER BY SUM(times) DESC, code, cause`;

/** Sums of refusals by hour, in both kinds of databases. */
export class StoredRefusals implements RefusalStore {
  readonly #queries: RecordQueries;
  readonly #save: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = replaceRows(queries.forms, { table: 'refusal_hour', columns, key });
  }

  async saveRefusals(sums: readonly RefusalSum[]): Promise<void> {
    await this.#queries.run(this.#save, [JSON.stringify(sums.map(rowOfSum))]);
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

const rowOfSum = (sum: RefusalSum): WrittenRow<typeof columns> => ({
  hour: sum.hour,
  account_id: sum.accountId,
  code: sum.code,
  cause: sum.cause,
  node: sum.node,
  part: sum.part,
  times: sum.count,
  first_at: sum.firstAt,
  last_at: sum.lastAt,
});
