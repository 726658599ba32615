import { keysOf, recordOf } from '../../../base/lib/records.ts';
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

  /** Reads the entries beyond the roll-up in the same statement. None is missed or counted twice. */
  async chargeSeries(question: SeriesQuestion<'model' | 'key'>): Promise<ChargeSeriesRow[]> {
    const { step, accountId } = question;
    const perStep = step === 'hour' ? '' : ' / 24';
    const statement = new SqlStatement();
    const account = statement.bind(accountId);
    const source = `
      SELECT ${step}, key_id, model, ${USAGE_FIGURES.join(', ')} FROM usage_${step} WHERE account_id = ${account}
      UNION ALL
      SELECT hour${perStep}, key_id, model, 1, input, cached_input, output, microcredits
      FROM usage_beyond_watermark(${account})`;
    const rows = await this.#sum(question, { statement, source, figures: USAGE_FIGURES });
    return rows.map(chargeRow);
  }

  async requestSeries(question: SeriesQuestion<UsageColumn>): Promise<RequestSeriesRow[]> {
    const { step, accountId } = question;
    const statement = new SqlStatement();
    const source = `SELECT * FROM request_${step} WHERE account_id = ${statement.bind(accountId)}`;
    const rows = await this.#sum(question, { statement, source, figures: REQUEST_FIGURES });
    return rows.map(requestRow);
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

  /** Sums the figures of the rows that a statement selects as `source`. */
  #sum(
    { step, from, to, by, where }: SeriesQuestion<UsageColumn>,
    { statement, source, figures }: { statement: SqlStatement; source: string; figures: readonly string[] },
  ): Promise<PostgresRow[]> {
    const groups = by.map((column) => usageColumns[column]);
    const sums = figures.map((figure) => `sum(${figure})::bigint AS ${figure}`);
    const conditions = [
      `${step} >= ${statement.bind(from)}`,
      `${step} < ${statement.bind(to)}`,
      ...keysOf(where).map((column) => `${usageColumns[column]} = ${statement.bind(where[column]!)}`),
    ];
    return this.#lookups.all(
      `SELECT ${[`${step} AS at`, ...groups, ...sums].join(', ')} FROM (${source}) parts
       WHERE ${conditions.join(' AND ')}
       GROUP BY ${[step, ...groups].join(', ')} ORDER BY ${[step, ...groups].join(', ')}`,
      statement.values,
    );
  }
}
