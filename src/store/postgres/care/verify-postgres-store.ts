import { keysOf } from '../../../base/lib/records.ts';
import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import { storeFault } from '../../ledger/store-fault.ts';
import { StoreProblem } from '../../store-problem.ts';
import type { Queries } from '../queries.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { brokenSealSql, type SealedTable, sealedTables } from './sealed-tables.ts';
import { type FoundSegment, selectPostgresSegments } from './select-postgres-segments.ts';

/** At most this many faults of one kind are reported. */
const MAX_NAMED = 20;

/**
 * Checks data that belongs to no account, in one snapshot.
 * Entries in the table belong to the account that their row names.
 */
export async function verifyPostgresStore(
  queries: Queries,
  archive: PostgresArchive,
): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const table of keysOf(sealedTables)) {
    const broken = await queries.all(selectBroken(table));
    for (const { name } of broken) faults.push(storeFault(`seal of ${table} ${name}`, 'broken', 'whole'));
  }
  faults.push(...(await watermarkFaults(queries)));
  return [...faults, ...(await segmentFaults(queries, archive))];
}

const selectBroken = (table: SealedTable): string => `
  SELECT ${sealedTables[table]} AS name FROM ${table} WHERE ${brokenSealSql(table)} ORDER BY 1 LIMIT ${MAX_NAMED}`;

/** The sums of hours and days need exactly one position. */
async function watermarkFaults(queries: Queries): Promise<LedgerFault[]> {
  const row = await queries.first('SELECT count(*) AS rows FROM usage_watermark');
  return row?.rows === 1 ? [] : [storeFault('rows of usage_watermark', Number(row?.rows), 1)];
}

/** Compares each segment with its record, and finds archived accounts that no other table has. */
async function segmentFaults(queries: Queries, archive: PostgresArchive): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  const segments = await selectPostgresSegments(queries);
  for (const [index, segment] of segments.entries()) {
    const { id, sha256, isIntact } = segment;
    if (!isIntact) faults.push(storeFault(`seal of ledger_segment ${id}`, 'broken', 'whole'));
    if (id !== index + 1) faults.push(storeFault('id of ledger_segment', id, index + 1));
    const found = await digestOf(queries, archive, segment);
    if (found !== sha256) faults.push(storeFault(`content of ledger_segment ${id}`, sha256, found));
    else faults.push(...(await contentFaults(queries, archive, segment)));
  }
  return faults;
}

async function digestOf(queries: Queries, archive: PostgresArchive, segment: FoundSegment): Promise<string> {
  return (await unlessUnreadable(() => archive.fileOf(queries, segment).sha256())) ?? 'unreadable';
}

const selectHeadlessSql = `
  SELECT id FROM unnest($1::text[]) AS id WHERE NOT EXISTS (SELECT 1 FROM account_head WHERE account_id = id)`;

async function contentFaults(
  queries: Queries,
  archive: PostgresArchive,
  segment: FoundSegment,
): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  const counted = await unlessUnreadable(async () => {
    let entries = 0;
    for await (const rows of archive.fileOf(queries, segment).blocks()) {
      entries += rows.length;
      const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
      const missing = await queries.all(selectHeadlessSql, [accounts]);
      for (const { id } of missing)
        faults.push({ ...storeFault('row of account_head', 'none', 'entries'), accountId: String(id) });
    }
    return entries;
  });
  if (counted !== segment.entries)
    faults.push(
      storeFault(`entries of ledger_segment ${segment.id}`, segment.entries, counted ?? 'unreadable'),
    );
  return faults.slice(0, MAX_NAMED);
}

/** Returns undefined if the segment cannot be read. */
async function unlessUnreadable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StoreProblem) return undefined;
    throw error;
  }
}
