import type { ArchivedRow } from './archived-row.ts';
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
