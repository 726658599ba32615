import { rm } from 'node:fs/promises';
import type { ArchivedRow } from './archived-row.ts';
import { SegmentFile } from './segment-file.ts';
import { ROWS_PER_BLOCK } from './segment-format.ts';
import { SegmentWriter, TEMPORARY } from './segment-writer.ts';

/** Writes entries, given in order of their numbers, to a file. The file is read back and compared before it gets its name. */
export async function writeSegment(
  path: string,
  rows: readonly ArchivedRow[],
): Promise<{ bytes: number; sha256: string }> {
  const ordered = byAccount(rows);
  const writer = await SegmentWriter.create(path);
  try {
    for (let from = 0; from < ordered.length; from += ROWS_PER_BLOCK)
      await writer.addBlock(ordered.slice(from, from + ROWS_PER_BLOCK));
    const written = await writer.finish();
    await compare(SegmentFile.unpublished(path), ordered);
    await writer.publish();
    return written;
  } catch (error) {
    await rm(path + TEMPORARY, { force: true });
    throw error;
  } finally {
    await writer.close();
  }
}

/** Orders by account. An account's entries keep their order. */
function byAccount(rows: readonly ArchivedRow[]): ArchivedRow[] {
  const accounts = new Map<string, ArchivedRow[]>();
  for (const row of rows) {
    const known = accounts.get(row.accountId);
    if (known) known.push(row);
    else accounts.set(row.accountId, [row]);
  }
  return [...accounts.keys()].sort().flatMap((accountId) => accounts.get(accountId)!);
}

async function compare(file: SegmentFile, expected: readonly ArchivedRow[]): Promise<void> {
  let position = 0;
  for await (const rows of file.blocks())
    for (const row of rows) if (!isSame(row, expected[position++])) throw file.problem();
  if (position !== expected.length) throw file.problem();
}

const isSame = (row: ArchivedRow, expected: ArchivedRow | undefined): boolean =>
  row.id === expected?.id &&
  row.number === expected.number &&
  row.previous === expected.previous &&
  row.text === expected.text &&
  row.hash === expected.hash &&
  row.accountId === expected.accountId;
