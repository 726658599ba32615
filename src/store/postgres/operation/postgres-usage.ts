import { recordOf } from '../../../base/lib/records.ts';
import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  RequestSum,
  SeriesQuestion,
  UsageColumn,
  UsageStore,
} from '../../../watch/requests/usage-store.ts';
import { SqlStatement } from '../../sql-statement.ts';
import {
  chargeRow,
  figureIn,
  REQUEST_FIGURES,
  requestRow,
  USAGE_FIGURES,
  usageColumns,
} from '../../usage-rows.ts';
import type { PostgresRow } from '../database.ts';
import { lookups } from '../lookups.ts';
import type { Queries } from '../queries.ts';

/** Sums of usage by hour and by day. */
export class PostgresUsage implements UsageStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  /**
   * Entries that no roll-up has yet are read in the same statement, so that none is missed or counted twice.
   */
  async chargeSeries(question: SeriesQuestion<'model' | 'key'>): Promise<ChargeSeriesRow[]> {
    const { step } = question;
    const perStep = step === 'hour' ? '' : ' / 24';
    const source = (account: string) => `(
      SELECT ${step}, key_id, model, ${USAGE_FIGURES.join(', ')} FROM usage_${step} WHERE account_id = ${account}
      UNION ALL
      SELECT hour${perStep}, key_id, model, 1, input, cached_input, output, microcredits
      FROM usage_beyond_watermark(${account}))`;
    return (await this.#select(question, { source, figures: USAGE_FIGURES })).map(chargeRow);
  }

  async requestSeries(question: SeriesQuestion<UsageColumn>): Promise<RequestSeriesRow[]> {
    const source = (account: string) =>
      `(SELECT * FROM request_${question.step} WHERE account_id = ${account})`;
    return (await this.#select(question, { source, figures: REQUEST_FIGURES })).map(requestRow);
  }

  async addRequestSums(sums: readonly RequestSum[], maxUsers: number): Promise<void> {
    const rows = sums.map((sum) => ({
      account_id: sum.accountId,
      hour: sum.hour,
      user: sum.user,
      key_id: sum.key,
      model: sum.model,
      code: sum.code,
      ...recordOf(REQUEST_FIGURES, (figure) => figureIn(sum, figure)),
    }));
    await this.#queries.run('SELECT add_request_sums($1::text::jsonb, $2)', [JSON.stringify(rows), maxUsers]);
  }

  async sweepRequestSums(options: {
    hoursBefore: number;
    daysBefore: number;
    limit: number;
  }): Promise<number> {
    const { hoursBefore, daysBefore, limit } = options;
    const sql = 'SELECT sweep_request_sums($1, $2, $3) AS removed';
    const row = await this.#queries.first(sql, [hoursBefore, daysBefore, limit]);
    return Number(row?.removed ?? 0);
  }

  #select(
    { accountId, step, from, to, by, where }: SeriesQuestion<UsageColumn>,
    { source, figures }: { source(account: string): string; figures: readonly string[] },
  ): Promise<PostgresRow[]> {
    const statement = new SqlStatement();
    const groups = by.map((column) => usageColumns[column]);
    const sums = figures.map((figure) => `sum(${figure})::bigint AS ${figure}`);
    const conditions = [
      `${step} >= ${statement.bind(from)}`,
      `${step} < ${statement.bind(to)}`,
      ...Object.entries(where).map(
        ([column, value]) => `${usageColumns[column as UsageColumn]} = ${statement.bind(value)}`,
      ),
    ];
    return this.#lookups.all(
      `SELECT ${[`${step} AS at`, ...groups, ...sums].join(', ')} FROM ${source(statement.bind(accountId))} parts
       WHERE ${conditions.join(' AND ')}
       GROUP BY ${[step, ...groups].join(', ')} ORDER BY ${[step, ...groups].join(', ')}`,
      statement.values,
    );
  }
}
