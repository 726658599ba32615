import { rm } from 'node:fs/promises';
import { byAccount } from '../by-account.ts';
import type { ArchivedRow } from './archived-row.ts';
import { compareSegment } from './compare-segment.ts';
import { fillSegment } from './fill-segment.ts';
import { NewSegmentFile, TEMPORARY } from './new-segment-file.ts';
import { SegmentFile } from './segment-file.ts';

/**
 * Writes entries, given in order of their numbers, to a file.
 * The file is read back and compared before it gets its name.
 */
export async function writeSegment(
  path: string,
  rows: readonly ArchivedRow[],
): Promise<{ bytes: number; sha256: string }> {
  const ordered = rows.toSorted(byAccount);
  const file = await NewSegmentFile.create(path);
  try {
    const written = await fillSegment(file, ordered);
    await file.flush();
    await compareSegment(SegmentFile.unpublished(path), ordered);
    await file.publish();
    return written;
  } catch (error) {
    await rm(path + TEMPORARY, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
