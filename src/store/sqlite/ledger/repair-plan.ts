import { nextTurn } from '../../../base/lib/next-turn.ts';
import type { Entry } from '../../../money/ledger/entry.ts';
import type { RepairOrder } from '../../../money/ledger/ledger-care.ts';
import { AccountReading } from '../../ledger/account-reading.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import type { DerivedTable } from '../../ledger/derived-table.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { acceptingEntry, keepingBalances } from '../../ledger/repair-entries.ts';
import { strayPeriods } from '../../ledger/stray-periods.ts';
import type { Bindings, SqliteConnection } from '../sqlite-connection.ts';
import { accountOfRow } from './account-of-row.ts';
import { selectBuckets } from './buckets.ts';
import { addEntry } from './chain.ts';
import { derivedTables } from './derived-tables.ts';
import { type PlacedEntry, selectNumbered, selectWritten } from './entries.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import type { OpenBook } from './open-book.ts';
import type { RunningSums } from './running-sums.ts';

/** About 2 ms of work. */
const ENTRIES_AT_A_TIME = 300;

/** The writes of a repair. Entries stay unchanged except their pointers to the previous entry. */
export type RepairPlan = {
  previous: { number: number; previous: number }[];
  rows: ExpectedRows;
  head: ChainHead;
  entries: number;
  added: Entry[];
};

type RepairParts = {
  connection: SqliteConnection;
  archive: LedgerArchive;
  sums: RunningSums;
};

/** Reads every entry of the account, in its chain or not. The account must not be written meanwhile. */
export async function planRepair(
  { connection, archive, sums }: RepairParts,
  order: RepairOrder,
): Promise<RepairPlan> {
  const { accountId } = order;
  const reading = new AccountReading({
    accountId,
    expected: new ExpectedRows(derivedTables, sums.budgets.of(accountId)),
    maxDamaged: Number.POSITIVE_INFINITY,
  });
  const { chain, expected: rows } = reading;
  for (const segment of archive.segments)
    await reading.takeArchived(archive.fileOf(segment).rowsOf(accountId), {
      what: `file ${segment.file}`,
      isLost: () => false,
    });
  const archived = chain.end.number;
  const numbers = await numbersOf(connection, { accountId, after: archive.upTo });
  const previous: RepairPlan['previous'] = [];
  for (let index = numbers.length - 1; index >= 0; index--) {
    const found = selectNumbered(connection, numbers[index]!)!;
    const row = { ...found, previous: numbers[index - 1] ?? archived };
    if (found.previous !== row.previous) previous.push({ number: row.number, previous: row.previous });
    reading.take(row);
    if (index % ENTRIES_AT_A_TIME === 0) await nextTurn();
  }
  chain.endPiece();
  const head = reading.end();
  const accepted = chain.damaged.map((row) => acceptingEntry(order, row));
  const adjustments = order.keepsBalances
    ? keepingBalances(order, selectBuckets(connection, accountId), rows)
    : [];
  return { previous, rows, head, entries: chain.entries, added: [...accepted, ...adjustments] };
}

/** Lists the numbers of the account's entries in the table after a number, in order. */
async function numbersOf(
  connection: SqliteConnection,
  { accountId, ...from }: { accountId: string; after: number },
): Promise<number[]> {
  const numbers: number[] = [];
  for (let { after } = from; ; await nextTurn()) {
    const rows = selectWritten(connection, { after, limit: ENTRIES_AT_A_TIME });
    for (const row of rows) if (accountOfRow(connection, row) === accountId) numbers.push(row.number);
    if (rows.length < ENTRIES_AT_A_TIME) return numbers;
    after = rows.at(-1)!.number;
  }
}

const updatePreviousSql = 'UPDATE entry SET previous = $previous WHERE number = $number';

/** Applies a plan in one transaction. */
export function writeRepair(connection: SqliteConnection, book: OpenBook, plan: RepairPlan): PlacedEntry[] {
  const { accountId } = book;
  for (const change of plan.previous) connection.run(updatePreviousSql, change);
  for (const table of derivedTables) {
    connection.run(clearSql(table), [accountId]);
    for (const { key, values } of plan.rows.of(table.name).values())
      connection.run(saveSql(table), [accountId, ...key, ...values] as Bindings);
  }
  removeStrays(connection, accountId, plan.rows);
  book.head = plan.head;
  return plan.added.flatMap((entry) => addEntry(connection, book, entry));
}

/** Removes balances that nothing explains. They are zero now. */
function removeStrays(connection: SqliteConnection, accountId: string, rows: ExpectedRows): void {
  const periods = selectBuckets(connection, accountId).map(({ period }) => period);
  for (const period of strayPeriods(periods, rows))
    connection.run('DELETE FROM bucket WHERE account_id = ? AND period = ?', [accountId, period]);
}

/** Rows that may exist without an entry are kept and set to zero. */
const clearSql = ({ name, values, hasZeros }: DerivedTable): string =>
  hasZeros
    ? `UPDATE ${name} SET ${values.map((column) => `${column} = 0`).join(', ')} WHERE account_id = ?`
    : `DELETE FROM ${name} WHERE account_id = ?`;

const saveSql = ({ name, key, values }: DerivedTable): string => {
  const columns = ['account_id', ...key, ...values];
  return `INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
};
