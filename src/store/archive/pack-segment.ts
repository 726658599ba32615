import { byAccount } from '../by-account.ts';
import type { ArchivedRow } from './archived-row.ts';
import { compareSegment } from './compare-segment.ts';
import { fillSegment } from './fill-segment.ts';
import { SegmentFile } from './segment-file.ts';
import type { SegmentSource } from './segment-source.ts';

/**
 * Packs entries, given in order of their numbers, into the bytes of a segment, which are read back and
 * compared.
 */
export async function packSegment(
  rows: readonly ArchivedRow[],
): Promise<{ content: Buffer; sha256: string }> {
  const ordered = rows.toSorted(byAccount);
  const pieces: Uint8Array[] = [];
  const { sha256 } = await fillSegment({ append: async (bytes) => void pieces.push(bytes) }, ordered);
  const content = Buffer.concat(pieces);
  await compareSegment(new SegmentFile(bufferSource(content)), ordered);
  return { content, sha256 };
}

const bufferSource = (content: Buffer): SegmentSource => ({
  name: 'A new segment of the ledger',
  remedy: 'check the memory of this machine',
  open: async () => ({
    size: content.length,
    read: async (at, length) => content.subarray(at, at + length),
    close: async () => {},
  }),
});
