import type { ArchivedRow } from './archived-row.ts';
import type { SegmentFile } from './segment-file.ts';
import { ROWS_PER_BLOCK } from './segment-format.ts';
import type { SegmentSink } from './segment-sink.ts';
import { SegmentWriter } from './segment-writer.ts';

/** Writes entries in the order of a segment. Returns the size and the SHA-256. */
export async function fillSegment(
  sink: SegmentSink,
  ordered: readonly ArchivedRow[],
): Promise<{ bytes: number; sha256: string }> {
  const writer = new SegmentWriter(sink);
  for (let from = 0; from < ordered.length; from += ROWS_PER_BLOCK)
    await writer.addBlock(ordered.slice(from, from + ROWS_PER_BLOCK));
  return writer.finish();
}

/** Orders by account. An account's entries keep their order. */
export function byAccount(rows: readonly ArchivedRow[]): ArchivedRow[] {
  const accounts = new Map<string, ArchivedRow[]>();
  for (const row of rows) {
    const accountRows = accounts.get(row.accountId);
    if (accountRows) accountRows.push(row);
    else accounts.set(row.accountId, [row]);
  }
  return [...accounts.keys()].sort().flatMap((accountId) => accounts.get(accountId)!);
}

/** Throws if the segment does not have exactly these entries. */
export async function compareSegment(file: SegmentFile, expected: readonly ArchivedRow[]): Promise<void> {
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
