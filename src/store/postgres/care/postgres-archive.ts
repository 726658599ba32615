import type { ArchivedRow } from '../../archive/archived-row.ts';
import { type ArchivePage, findArchived, readArchivePage } from '../../archive/read-segments.ts';
import { SegmentFile } from '../../archive/segment-file.ts';
import type { Queries } from '../queries.ts';
import { segmentSourceOf } from './segment-source-of.ts';
import { type PostgresSegment, selectPostgresSegments } from './select-postgres-segments.ts';

/** The directories of this many segments stay in memory, about 10 KB each. */
const MAX_FILES = 256;

/**
 * Reads archived entries. An account's entries in a segment are older than those in later segments and in the
 * table.
 */
export class PostgresArchive {
  /** The open segments by id and checksum. Each keeps its directory. */
  readonly #files = new Map<string, SegmentFile>();

  fileOf(queries: Queries, { id, sha256 }: PostgresSegment): SegmentFile {
    const key = `${id} ${sha256}`;
    const source = segmentSourceOf(queries, id);
    const openFile = this.#files.get(key);
    if (openFile) return openFile.from(source);
    const file = new SegmentFile(source);
    if (this.#files.size >= MAX_FILES) this.#files.delete(this.#files.keys().next().value!);
    this.#files.set(key, file);
    return file;
  }

  async find(queries: Queries, id: string): Promise<ArchivedRow | undefined> {
    return findArchived(await this.#segments(queries), id);
  }

  /** Returns an account's entries before a number, newest first. */
  async page(queries: Queries, page: ArchivePage): Promise<ArchivedRow[]> {
    return readArchivePage(await this.#segments(queries), page);
  }

  /** Returns the number of an account's last archived entry, or 0. */
  async lastOf(queries: Queries, accountId: string): Promise<number> {
    const [row] = await this.page(queries, { accountId, before: Number.MAX_SAFE_INTEGER, limit: 1 });
    return row?.number ?? 0;
  }

  async #segments(queries: Queries) {
    const segments = await selectPostgresSegments(queries);
    return { segments, fileOf: (segment: PostgresSegment) => this.fileOf(queries, segment) };
  }
}
