import type { Entry } from '../../../money/ledger/entry.ts';
import type { RepairOrder } from '../../../money/ledger/ledger-care.ts';
import { AccountReading } from '../../ledger/account-reading.ts';
import type { ChainHead } from '../../ledger/chain-head.ts';
import { ExpectedRows } from '../../ledger/expected-rows.ts';
import { acceptingEntry, keepingBalances } from '../../ledger/repair-entries.ts';
import { selectBudgets } from '../budgets/select-budgets.ts';
import type { Queries } from '../queries.ts';
import { saveHead } from './account-heads.ts';
import { appendEntry } from './append-entry.ts';
import { takeHolds } from './compare-account-rows.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { postgresDerivedTables } from './postgres-derived-tables.ts';
import { repairColumns } from './repair-columns.ts';
import { removeStrays } from './select-strays.ts';
import { readAccount } from './verify-postgres-account.ts';
import { writeDerivedRows } from './write-derived-rows.ts';

/** Counts the entries that were read, and lists those that the repair added. */
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
  const adjustments = order.keepsBalances
    ? keepingBalances(order, await selectBucketRows(queries, accountId), expected)
    : [];
  await takeHolds(queries, accountId, expected);
  await writeDerivedRows(queries, accountId, expected);
  await removeStrays(queries, accountId, expected);
  await queries.run('SELECT count_budgets($1)', [accountId]);
  await addEntries(queries, end, [...accepted, ...adjustments]);
  return { entries: chain.entries, added: [...accepted, ...adjustments] };
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

const addToBalanceSql = `
  INSERT INTO bucket (account_id, period, granted) VALUES ($1, $2, $3)
  ON CONFLICT (account_id, period) DO UPDATE SET granted = bucket.granted + EXCLUDED.granted`;

async function addEntries(queries: Queries, end: ChainHead, entries: readonly Entry[]): Promise<void> {
  let head = end;
  for (const entry of entries) {
    const next = await appendEntry(queries, entry, head);
    if (!next) continue;
    head = next;
    await queries.run(addToBalanceSql, [entry.accountId, entry.period, entry.microcredits]);
    await saveHead(queries, entry.accountId, head);
  }
}
