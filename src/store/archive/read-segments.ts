import type { ArchivedRow } from './archived-row.ts';
import type { SegmentFile } from './segment-file.ts';

/** Segments from the oldest to the newest, and the function that returns the file of each. */
type Segments<Segment extends { first: number }> = {
  segments: readonly Segment[];
  fileOf(segment: Segment): SegmentFile;
};

/** The entries of an account before a number. */
export type ArchivePage = { accountId: string; before: number; limit: number };

/** Finds an entry by its id. The newest segment is read first. */
export async function findArchived<Segment extends { first: number }>(
  { segments, fileOf }: Segments<Segment>,
  id: string,
): Promise<ArchivedRow | undefined> {
  for (const segment of segments.toReversed()) {
    const row = await fileOf(segment).find(id);
    if (row) return row;
  }
  return undefined;
}

/** Reads a page of archived entries, newest first. */
export async function readArchivePage<Segment extends { first: number }>(
  { segments, fileOf }: Segments<Segment>,
  { accountId, before, limit }: ArchivePage,
): Promise<ArchivedRow[]> {
  const page: ArchivedRow[] = [];
  for (const segment of segments.toReversed()) {
    if (segment.first >= before) continue;
    for await (const rows of fileOf(segment).rowsOf(accountId)) {
      page.push(...rows.filter(({ number }) => number < before));
      if (page.length >= limit) return page.slice(0, limit);
    }
  }
  return page;
}
