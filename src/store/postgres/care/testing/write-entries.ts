import type { Entry } from '../../../../money/ledger/entry.ts';
import { dayOf } from '../../../../money/ledger/token-day.ts';
import { monthName } from '../../../ledger/expected-rows.ts';
import type { Database } from '../../database.ts';
import type { Queries } from '../../queries.ts';
import { lockHead, saveHead } from '../account-heads.ts';
import { appendEntry } from '../append-entry.ts';

const addToBucketSql = `
  INSERT INTO bucket (account_id, period, granted, used) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, period) DO UPDATE SET granted = bucket.granted + $3, used = bucket.used + $4`;
const addToKeySql = `
  INSERT INTO key_month (key_id, month, account_id, used) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key_id, month) DO UPDATE SET used = key_month.used + $4`;
const addToDaySql = `
  INSERT INTO token_day (account_id, day, tokens) VALUES ($1, $2, $3)
  ON CONFLICT (account_id) DO UPDATE SET day = greatest(token_day.day, $2), tokens = CASE
    WHEN token_day.day = $2 THEN token_day.tokens + $3 WHEN token_day.day < $2 THEN $3 ELSE token_day.tokens END`;

/**
 * Writes an entry as a settlement does, with the balance, the key's month, the day's tokens and the chain's
 * end. An entry that exists already changes nothing.
 */
export async function writeEntry(queries: Queries, entry: Entry): Promise<void> {
  const { accountId, period, kind, microcredits, receipt, at } = entry;
  const head = await appendEntry(queries, entry, await lockHead(queries, accountId));
  if (!head) return;
  await saveHead(queries, accountId, head);
  const used = kind === 'usage' ? microcredits : 0;
  const granted = kind === 'usage' || kind === 'renewal' ? 0 : microcredits;
  await queries.run(addToBucketSql, [accountId, period, granted, used]);
  if (!receipt) return;
  const spent = microcredits - (receipt.beyondCapMicrocredits ?? 0);
  await queries.run(addToKeySql, [receipt.keyId, monthName(at), accountId, spent]);
  if (period !== 'purchased')
    await queries.run(addToDaySql, [accountId, dayOf(at), receipt.tokens.input + receipt.tokens.output]);
}

/** Writes entries in one transaction. */
export const writeEntries = (database: Database, entries: readonly Entry[]): Promise<void> =>
  database.transaction(async (queries) => {
    for (const entry of entries) await writeEntry(queries, entry);
  });
