import type { Entry } from '../../../money/ledger/entry.ts';
import type { RepairOrder } from '../../../money/ledger/ledger-store.ts';
import { AccountReading } from '../../ledger/account-reading.ts';
import type { Head } from '../../ledger/chain-head.ts';
import type { DerivedTable } from '../../ledger/derived-table.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { acceptingEntry, keepingBalances } from '../../ledger/repair-entries.ts';
import { selectBudgets } from '../budgets/select-budgets.ts';
import type { Queries } from '../database.ts';
import { appendEntry, saveHeadRow } from './append-entry.ts';
import { takeHolds } from './compare-account-rows.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';
import { repairColumns } from './repair-columns.ts';
import { removeStrays } from './select-strays.ts';
import { readAccount } from './verify-postgres-account.ts';

const ROWS_AT_A_TIME = 300;

export type PostgresRepair = { entries: number; added: Entry[] };

/**
 * Rebuilds an account's derived rows from its entries. The caller's transaction has locked the account's
 * head, the roll-up and the archive, so nothing of the account changes meanwhile.
 */
export async function repairPostgresAccount(
  queries: Queries,
  archive: PostgresArchive,
  order: RepairOrder,
): Promise<PostgresRepair> {
  const { accountId } = order;
  const archived = await archive.lastOf(queries, accountId);
  await repairColumns(queries, accountId, archived);
  const budgets = await selectBudgets(queries, accountId);
  const reading = new AccountReading({
    accountId,
    expected: new ExpectedRows(postgresDerivedTables, budgets),
    maxDamaged: Number.POSITIVE_INFINITY,
  });
  const end = await readAccount(queries, { archive, accountId, upTo: Number.MAX_SAFE_INTEGER }, reading);
  const { chain, expected } = reading;
  const accepted = chain.damaged.map((row) => acceptingEntry(order, row));
  const kept = order.keepsBalances
    ? keepingBalances(order, await selectBucketRows(queries, accountId), expected)
    : [];
  await takeHolds(queries, accountId, expected);
  await writeRows(queries, accountId, expected);
  await removeStrays(queries, accountId, expected);
  await queries.run('SELECT count_budgets($1)', [accountId]);
  await addEntries(queries, end, [...accepted, ...kept]);
  return { entries: chain.entries, added: [...accepted, ...kept] };
}

async function selectBucketRows(queries: Queries, accountId: string) {
  const rows = await queries.all('SELECT period, granted, used FROM bucket WHERE account_id = $1', [
    accountId,
  ]);
  return rows.map(({ period, granted, used }) => ({
    period: String(period),
    granted: Number(granted),
    used: Number(used),
  }));
}

async function writeRows(queries: Queries, accountId: string, rows: ExpectedRows): Promise<void> {
  for (const table of postgresDerivedTables) {
    await queries.run(clear(table), [accountId]);
    const all = [...rows.of(table.name).values()];
    for (let from = 0; from < all.length; from += ROWS_AT_A_TIME) {
      const some = all.slice(from, from + ROWS_AT_A_TIME);
      const values = some.flatMap((row) => [accountId, ...row.key, ...row.values]);
      await queries.run(save(table, some.length), values);
    }
  }
}

async function addEntries(queries: Queries, end: Head, entries: readonly Entry[]): Promise<void> {
  let head = end;
  for (const entry of entries) {
    const next = await appendEntry(queries, entry, head);
    if (!next) continue;
    head = next;
    await queries.run(addToBalanceSql, [entry.accountId, entry.period, entry.microcredits]);
    await saveHeadRow(queries, entry.accountId, head);
  }
}

/** Rows that may exist without an entry are kept and set to zero. The head keeps its lock. */
const clear = ({ name, values, hasZeros }: DerivedTable): string =>
  hasZeros
    ? `UPDATE ${name} SET ${values.map((column) => `${column} = ${column === 'hash' ? `''` : 0}`).join(', ')} WHERE account_id = $1`
    : `DELETE FROM ${name} WHERE account_id = $1`;

/** Keys are unique without their account in one table, so another account may have taken the row. */
const save = (table: DerivedTable, rows: number): string => {
  const { name, key, values } = table;
  const columns = ['account_id', ...key, ...values];
  const conflict = name === 'key_month' ? key : ['account_id', ...key];
  const changes = columns.filter((column) => !conflict.includes(column));
  return `
    INSERT INTO ${name} (${columns.join(', ')}) VALUES ${placesOf(rows, columns.length).join(', ')}
    ON CONFLICT (${conflict.join(', ')}) DO UPDATE SET
    ${changes.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}`;
};

/** `($1, $2), ($3, $4)` for two rows of two columns. */
const placesOf = (rows: number, columns: number): string[] =>
  Array.from(
    { length: rows },
    (_, row) =>
      `(${Array.from({ length: columns }, (_, index) => `$${row * columns + index + 1}`).join(', ')})`,
  );

const addToBalanceSql = `
  INSERT INTO bucket (account_id, period, granted) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, period) DO UPDATE SET granted = bucket.granted + EXCLUDED.granted`;
