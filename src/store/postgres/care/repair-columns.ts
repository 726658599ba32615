import { readEntry } from '../../../money/ledger/entry-text.ts';
import { hashEntry, NO_HASH } from '../../../money/ledger/hash-entry.ts';
import type { PostgresRow } from '../database.ts';
import type { Queries } from '../queries.ts';
import { renumberEntries } from './renumber-entries.ts';

const ENTRIES_AT_A_TIME = 500;

type EntryColumns = { number: number; id: string; accountId: string; sequence: number; at: number };

/**
 * Corrects the account, the place in the chain, the time and the number of an account's entries, from texts
 * that are intact. A text is intact if its hash continues the previous entry that it names. An entry returns
 * to the account that its text names. `archived` is the number of the account's last archived entry, after
 * which its numbers continue.
 */
export async function repairColumns(queries: Queries, accountId: string, archived: number): Promise<void> {
  for (const rows of [
    await selectMisplaced(queries, accountId),
    await selectContradicting(queries, accountId),
  ])
    for (const row of rows) await correct(queries, row);
  await takePlaces(queries);
  await renumberEntries(queries, accountId, archived);
}

const SELECT = 'SELECT number, id, account_id, sequence, at, text, hash FROM entry';

/** Selects rows of other accounts whose text names the account. This reads the whole table. */
const selectMisplaced = (queries: Queries, accountId: string): Promise<PostgresRow[]> =>
  queries.all(`${SELECT} WHERE account_id <> $1 AND starts_with(text, $2)`, [
    accountId,
    `[${JSON.stringify(accountId)},`,
  ]);

/** Selects rows of the account whose columns differ from their text. */
async function selectContradicting(queries: Queries, accountId: string): Promise<PostgresRow[]> {
  const found: PostgresRow[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await queries.all(
      `${SELECT} WHERE account_id = $1 AND sequence > $2 ORDER BY sequence LIMIT ${ENTRIES_AT_A_TIME}`,
      [accountId, after],
    );
    found.push(...rows.filter(isContradicting));
    if (rows.length < ENTRIES_AT_A_TIME) return found;
    after = Number(rows.at(-1)!.sequence);
  }
}

const columnsOf = (row: PostgresRow): EntryColumns => ({
  number: Number(row.number),
  id: String(row.id),
  accountId: String(row.account_id),
  sequence: Number(row.sequence),
  at: Number(row.at),
});

const textOf = (row: PostgresRow) =>
  readEntry({ id: String(row.id), text: String(row.text), hash: String(row.hash) });

function isContradicting(row: PostgresRow): boolean {
  const { accountId, sequence, at } = columnsOf(row);
  const entry = textOf(row);
  return (
    entry !== undefined && (entry.accountId !== accountId || entry.sequence !== sequence || entry.at !== at)
  );
}

/**
 * Corrects a row with an intact text. A row of another place gets the negative number of that place, which
 * another row can still have, since places are unique. `takePlaces` makes the number positive.
 */
async function correct(queries: Queries, row: PostgresRow): Promise<void> {
  const entry = textOf(row);
  if (!entry || !(await isIntact(queries, row, entry))) return;
  const { number, accountId, sequence } = columnsOf(row);
  await queries.run('UPDATE entry SET at = $2 WHERE number = $1', [number, entry.at]);
  if (entry.accountId === accountId && entry.sequence === sequence) return;
  await queries.run('UPDATE entry SET account_id = $2, sequence = $3 WHERE number = $1', [
    number,
    entry.accountId,
    -entry.sequence,
  ]);
}

async function isIntact(
  queries: Queries,
  row: PostgresRow,
  { accountId, sequence }: { accountId: string; sequence: number },
): Promise<boolean> {
  const before = await queries.all(
    'SELECT hash FROM entry WHERE account_id = $1 AND sequence IN ($2::bigint - 1, 1 - $2::bigint)',
    [accountId, sequence],
  );
  const hashes = [...(sequence === 1 ? [NO_HASH] : []), ...before.map(({ hash }) => String(hash))];
  return hashes.some((hash) => hashEntry(hash, String(row.id), String(row.text)) === row.hash);
}

const takePlacesSql = `
  UPDATE entry SET sequence = -sequence
  WHERE sequence < 0 AND NOT EXISTS (
    SELECT 1 FROM entry other WHERE other.account_id = entry.account_id AND other.sequence = -entry.sequence)`;

/**
 * Moves the rows to the places that `correct` has noted. It covers all accounts, since a misplaced entry can
 * belong to any. A row whose place is still taken stays where it is, and counts as damaged.
 */
const takePlaces = (queries: Queries): Promise<number> => queries.run(takePlacesSql, []);
