import type { FaultRow } from '../watch/faults/fault.ts';
import type { FaultStore } from '../watch/faults/fault-store.ts';
import type { CommonRow } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { replaceRows, type WrittenColumns, type WrittenRow } from './replace-rows.ts';
import { flag, json, nullableNumber, nullableText, number, text } from './row-columns.ts';

/** The value of `last_at` in a row without a failure. */
const NO_FAILURE = 0;
/** The most open rows that are read at once. */
const MAX_OPEN = 1_000;

const columns = {
  id: 'text',
  provider: 'text',
  cause: 'text',
  model: 'text',
  first_at: 'bigint',
  last_at: 'bigint',
  well_at: 'bigint',
  seen_at: 'bigint',
  failures: 'bigint',
  hidden: 'bigint',
  raised: 'bigint',
  recent: 'text',
  status: 'bigint',
  message: 'text',
} as const satisfies WrittenColumns;

const selectOpenFaultsSql = `
  SELECT * FROM provider_fault WHERE well_at IS NULL OR well_at > $1 ORDER BY last_at DESC, id LIMIT $2`;
const selectFaultsSql = 'SELECT * FROM provider_fault ORDER BY last_at DESC, id LIMIT $1';

/** Rows without a failure have the time of their success. */
const deleteOldFaultsSql = `
  DELETE FROM provider_fault
  WHERE (last_at < $1 AND COALESCE(seen_at, well_at, 0) < $1)
    OR (raised = 0 AND failures > 0 AND last_at < $2)`;

/** Faults of providers in both kinds of databases. */
export class ProviderFaults implements FaultStore {
  readonly #queries: RecordQueries;
  readonly #save: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = replaceRows(queries.forms, { table: 'provider_fault', columns, key: ['id'] });
  }

  async saveFaults(rows: readonly FaultRow[]): Promise<void> {
    await this.#queries.run(this.#save, [JSON.stringify(rows.map(rowOfFault))]);
  }

  async openFaults(wellAfter: number): Promise<FaultRow[]> {
    return (await this.#queries.all(selectOpenFaultsSql, [wellAfter, MAX_OPEN])).map(faultOfRow);
  }

  async listFaults(limit: number): Promise<FaultRow[]> {
    return (await this.#queries.all(selectFaultsSql, [limit])).map(faultOfRow);
  }

  async sweepFaults({ before, unraisedBefore }: Parameters<FaultStore['sweepFaults']>[0]): Promise<void> {
    await this.#queries.run(deleteOldFaultsSql, [before, unraisedBefore]);
  }
}

const rowOfFault = (row: FaultRow): WrittenRow<typeof columns> => ({
  id: row.id,
  provider: row.provider,
  cause: row.cause,
  model: row.model,
  first_at: row.firstAt,
  last_at: row.lastAt ?? NO_FAILURE,
  well_at: row.wellAt,
  seen_at: row.seenAt,
  failures: row.failures,
  hidden: row.hidden,
  raised: row.isRaised ? 1 : 0,
  recent: JSON.stringify(row.recent),
  status: row.status,
  message: row.message === null ? null : storable(row.message),
});

/** Providers choose the text, and Postgres stores no NUL and no half of a surrogate pair. */
const storable = (message: string): string => message.toWellFormed().replaceAll('\0', '\ufffd');

function faultOfRow(row: CommonRow): FaultRow {
  const lastAt = number(row, 'last_at');
  return {
    id: text(row, 'id'),
    provider: text(row, 'provider'),
    cause: text<FaultRow['cause']>(row, 'cause'),
    model: nullableText(row, 'model'),
    firstAt: number(row, 'first_at'),
    lastAt: lastAt === NO_FAILURE ? null : lastAt,
    wellAt: nullableNumber(row, 'well_at'),
    seenAt: nullableNumber(row, 'seen_at'),
    failures: number(row, 'failures'),
    hidden: number(row, 'hidden'),
    isRaised: flag(row, 'raised'),
    recent: json(row, 'recent'),
    status: nullableNumber(row, 'status'),
    message: nullableText(row, 'message'),
  };
}
