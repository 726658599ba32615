import { DAY_MS, HOUR_MS } from '../../../base/lib/units.ts';
import type {
  GroupQuery,
  KeptGroup,
  RequestGroup,
  RequestStore,
  RequestSweep,
} from '../../../watch/requests/request-store.ts';
import { groupOfRow } from '../../group-of-row.ts';
import { packRequests } from '../../request-packing.ts';
import { SqlStatement } from '../../sql-statement.ts';
import { lookups } from '../lookups.ts';
import type { Queries } from '../queries.ts';

const sweepEachSql = 'SELECT sweep_requests($1, $2) AS removed';
const sweepMonthsSql = 'SELECT sweep_request_months($1, $2) AS removed';

/**
 * Records that are kept for this time are dropped by the month, which costs no writes.
 * The latest of them take a month longer.
 */
const MONTHS_MS = 32 * DAY_MS;

/** The first sweep of a new version reads all rows of a large table. */
const DIVISION_MS = 600_000;

const addSql = `
  SELECT add_requests($1::text[], $2::bigint[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::bigint)`;

/** A group is stored within a moment of its end. An hour covers every delay, and clocks that differ. */
const LATEST_MS = HOUR_MS;

/** The records of requests, in compressed groups. */
export class PostgresRequests implements RequestStore {
  readonly #queries: Queries;
  readonly #lookups: Pick<Queries, 'first' | 'all'>;

  constructor(queries: Queries) {
    this.#queries = queries;
    this.#lookups = lookups(queries);
  }

  async addRequests(groups: readonly RequestGroup[], mostEach: number): Promise<void> {
    if (groups.length === 0) return;
    const packed = await packRequests(groups);
    await this.#queries.run(addSql, [
      groups.map(({ accountId }) => accountId),
      groups.map(({ endedAt }) => endedAt),
      groups.map(({ firstId }) => firstId),
      groups.map(({ lastId }) => lastId),
      groups.map(({ count }) => count),
      packed.map(({ lines }) =>
        Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('base64'),
      ),
      mostEach,
    ]);
  }

  /** The text has only the conditions that are asked for, so that the planner can use their indexes. */
  async listRequests({
    accountId,
    before,
    after,
    endedFrom,
    endedBefore,
    id,
    limit,
  }: GroupQuery): Promise<KeptGroup[]> {
    const statement = new SqlStatement();
    const conditions = [`ended_at >= ${statement.bind(endedFrom)}`];
    if (endedBefore !== undefined) conditions.push(`ended_at < ${statement.bind(endedBefore)}`);
    if (after !== undefined) conditions.push(`sequence > ${statement.bind(after)}`);
    if (before !== undefined) conditions.push(`sequence < ${statement.bind(before)}`);
    if (accountId !== undefined && id === undefined)
      conditions.push(`account_id = ${statement.bind(accountId)}`);
    if (id !== undefined) {
      const place = statement.bind(id);
      conditions.push(`first_id <= ${place} AND last_id >= ${place}`);
    } else if (endedFrom > 0 && after === undefined) {
      conditions.push(`sequence > ${lastBefore(statement.bind(endedFrom - LATEST_MS))}`);
    }
    // The search by an id is bounded by time.
    // The sum keeps the planner from reading the groups in the order of their numbers.
    const order = id === undefined ? 'sequence' : 'sequence + 0';
    const rows = await this.#lookups.all(
      `SELECT * FROM request_group WHERE ${conditions.join(' AND ')}
       ORDER BY ${order} DESC LIMIT ${statement.bind(limit)}`,
      statement.values,
    );
    return rows.map(groupOfRow);
  }

  /** Returns 0 while another node sweeps. */
  async sweepRequests({ endedBefore, limit, keptMs = 0 }: RequestSweep): Promise<number> {
    const sweepSql = keptMs < MONTHS_MS ? sweepEachSql : sweepMonthsSql;
    const row = await this.#queries.first(sweepSql, [endedBefore, limit], { deadlineMs: DIVISION_MS });
    return Number(row?.removed ?? 0);
  }
}

/** Without a lower bound, a search that finds few groups would read all earlier ones. */
const lastBefore = (time: string): string => `coalesce(
  (SELECT sequence FROM request_group WHERE ended_at < ${time} ORDER BY ended_at DESC LIMIT 1), 0)`;
