import type { ArchivedRow } from './archived-row.ts';
import type { SegmentFile } from './segment-file.ts';

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
