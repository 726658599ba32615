import type { FaultRow } from '../watch/faults/fault.ts';
import type { FaultStore } from '../watch/faults/fault-store.ts';
import type { CommonRow } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { flag, json, nullableNumber, nullableText, number, text } from './row-columns.ts';

/** The value of `last_at` in a row without a failure. */
const NO_FAILURE = 0;
/** The most open rows that are read at once. */
const MAX_OPEN = 1_000;

/** Faults of providers in both kinds of databases. */
export class ProviderFaults implements FaultStore {
  readonly #queries: RecordQueries;
  readonly #save: string;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
    this.#save = saveFrom(queries.forms.elementsOf('$1'));
  }

  async saveFaults(rows: readonly FaultRow[]): Promise<void> {
    const values = rows.map((row) => [
      ...[
        row.id,
        row.provider,
        row.cause,
        row.model,
        row.firstAt,
        row.lastAt ?? NO_FAILURE,
        row.wellAt,
        row.seenAt,
      ],
      ...[
        row.failures,
        row.hidden,
        row.isRaised ? 1 : 0,
        JSON.stringify(row.recent),
        row.status,
        row.message,
      ],
    ]);
    await this.#queries.run(this.#save, [JSON.stringify(values)]);
  }

  async openFaults(wellAfter: number): Promise<FaultRow[]> {
    return (await this.#queries.all(selectOpenSql, [wellAfter, MAX_OPEN])).map(faultOfRow);
  }

  async listFaults(limit: number): Promise<FaultRow[]> {
    return (await this.#queries.all(selectAllSql, [limit])).map(faultOfRow);
  }

  async sweepFaults({ before, unraisedBefore }: Parameters<FaultStore['sweepFaults']>[0]): Promise<void> {
    await this.#queries.run(sweepSql, [before, unraisedBefore]);
  }
}

// biome-ignore format: a line for each group
const columns = [
  'id', 'provider', 'cause', 'model', 'first_at', 'last_at', 'well_at', 'seen_at',
  'failures', 'hidden', 'raised', 'recent', 'status', 'message',
];
const texts: ReadonlySet<string> = new Set(['id', 'provider', 'cause', 'model', 'recent', 'message']);
const parameters = columns.map((name, index) =>
  texts.has(name) ? `value ->> ${index}` : `CAST(value ->> ${index} AS bigint)`,
);

const saveFrom = (elements: string): string => `
  INSERT INTO provider_fault (${columns.join(', ')})
  SELECT ${parameters.join(', ')} FROM ${elements} WHERE true
  ON CONFLICT (id) DO UPDATE SET
    ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`;

const selectOpenSql = `
  SELECT * FROM provider_fault WHERE well_at IS NULL OR well_at > $1 ORDER BY last_at DESC, id LIMIT $2`;
const selectAllSql = 'SELECT * FROM provider_fault ORDER BY last_at DESC, id LIMIT $1';

/** Rows without a failure have the time of their success. */
const sweepSql = `
  DELETE FROM provider_fault
  WHERE (last_at < $1 AND COALESCE(seen_at, well_at, 0) < $1)
    OR (raised = 0 AND failures > 0 AND last_at < $2)`;

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
