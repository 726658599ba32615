import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import type { DerivedTable } from '../../ledger/derived-table.ts';
import type { ExpectedRows, Value } from '../../ledger/expected-rows.ts';
import { rowFaults } from '../../ledger/row-faults.ts';
import { rowName } from '../../ledger/row-name.ts';
import { strayBalances } from '../../ledger/stray-periods.ts';
import type { Bindings, Row, SqliteConnection } from '../sqlite-connection.ts';
import { selectBuckets } from './buckets.ts';
import { derivedTables } from './derived-tables.ts';

/** About 2 ms of work. */
const ROWS_AT_A_TIME = 500;
/** At most this many suspects are kept for one table. */
const MAX_SUSPECTS = 200;

type Suspect = { table: DerivedTable; key: readonly Value[] };

const tables = new Map<string, DerivedTable>(derivedTables.map((table) => [table.name, table]));

/**
 * Compares an account's rows with their expected values, in pieces. Rows and entries may change in between,
 * so a difference is only a suspicion.
 * Suspects are compared again at the end, in one step with the latest entries.
 */
export class RowComparison {
  readonly #connection: SqliteConnection;
  readonly #accountId: string;
  readonly #expected: ExpectedRows;
  /** Periods whose balances nothing explains. */
  #strays: ReadonlySet<string> = new Set();
  readonly #suspects = new Map<string, Suspect>();

  constructor(connection: SqliteConnection, accountId: string, expected: ExpectedRows) {
    this.#connection = connection;
    this.#accountId = accountId;
    this.#expected = expected;
  }

  /** Scans all tables. The caller pauses at each yield. */
  *look(): Generator<void> {
    this.#readStrays();
    this.#expected.onChange = (name, key) => this.#suspect(tables.get(name)!, key);
    for (const table of derivedTables) {
      yield* this.#lookAtRows(table);
      yield* this.#lookForMissing(table);
    }
  }

  /** Returns the differences that remain, in one step. A table whose rules changed meanwhile is left out. */
  faults(changed?: string): LedgerFault[] {
    this.#readStrays();
    const suspects = [...this.#suspects.values()].filter(({ table }) => table.name !== changed);
    return suspects.flatMap(({ table, key }) => this.#faultsOf(table, key));
  }

  *#lookAtRows(table: DerivedTable): Generator<void> {
    let after: Value[] | undefined;
    for (;;) {
      const rows = selectRows(this.#connection, table, { accountId: this.#accountId, after });
      for (const row of rows) {
        const key = table.key.map((column) => row[column] as Value);
        if (this.#faultsOf(table, key, row).length > 0) this.#suspect(table, key);
      }
      if (rows.length < ROWS_AT_A_TIME || table.key.length === 0) return;
      after = table.key.map((column) => rows.at(-1)![column] as Value);
      yield;
    }
  }

  *#lookForMissing(table: DerivedTable): Generator<void> {
    let looked = 0;
    for (const { key } of this.#expected.of(table.name).values()) {
      if (!this.#select(table, key)) this.#suspect(table, key);
      looked += 1;
      if (looked % ROWS_AT_A_TIME === 0) yield;
    }
  }

  #suspect(table: DerivedTable, key: readonly Value[]): void {
    if (this.#suspects.size < MAX_SUSPECTS) this.#suspects.set(rowName(table.name, key), { table, key });
  }

  #faultsOf(table: DerivedTable, key: readonly Value[], row = this.#select(table, key)): LedgerFault[] {
    return rowFaults({ accountId: this.#accountId, table, key, row, strays: this.#strays }, this.#expected);
  }

  #readStrays(): void {
    const periods = selectBuckets(this.#connection, this.#accountId).map(({ period }) => period);
    this.#strays = new Set(strayBalances(periods, this.#expected));
  }

  #select(table: DerivedTable, key: readonly Value[]): Row | undefined {
    return this.#connection.first(selectOne(table), [this.#accountId, ...key]);
  }
}

const columnsOf = ({ key, values }: DerivedTable): string => [...key, ...values].join(', ');

const selectOne = (table: DerivedTable): string =>
  `SELECT ${columnsOf(table)} FROM ${table.name} WHERE account_id = ?${table.key
    .map((column) => ` AND ${column} = ?`)
    .join('')}`;

/** Selects rows after a row, in the order of the primary key. */
function selectRows(
  connection: SqliteConnection,
  table: DerivedTable,
  { accountId, after }: { accountId: string; after: Value[] | undefined },
): Row[] {
  const behind = after ? `AND (${table.key.join(', ')}) > (${after.map(() => '?').join(', ')})` : '';
  const order = table.key.length > 0 ? `ORDER BY ${table.key.join(', ')}` : '';
  const sql = `SELECT ${columnsOf(table)} FROM ${table.name} WHERE account_id = ? ${behind} ${order} LIMIT ?`;
  return connection.all(sql, [accountId, ...(after ?? []), ROWS_AT_A_TIME] as Bindings);
}
