import type { ArchivedRow } from '../../archive/archived-row.ts';
import { type ArchivePage, findArchived, readArchivePage } from '../../archive/read-segments.ts';
import { SegmentFile } from '../../archive/segment-file.ts';
import type { SegmentSource } from '../../archive/segment-source.ts';
import { bytes, number, text } from '../../row-columns.ts';
import type { Queries } from '../queries.ts';

/** The directories of this many segments stay in memory, about 10 KB each. */
const MAX_FILES = 256;
/** Distinguishes a damaged segment from an unavailable database. */
export const SEGMENT_REMEDY = 'restore this row from a backup';

/** A segment of archived entries. Its bytes are in the column `content`. */
export type PostgresSegment = { id: number; first: number; last: number; entries: number; sha256: string };
export type FoundSegment = PostgresSegment & { isWhole: boolean };

const selectSegmentsSql = `
  SELECT id, first, last, entries, sha256, seal = seal_of('ledger_segment', jsonb_build_object(
    'id', id, 'first', first, 'last', last, 'entries', entries, 'sha256', sha256)) AS is_whole
  FROM ledger_segment ORDER BY id`;

/** Selects all segments, oldest first. `isWhole` is false if the row was changed. */
export async function selectPostgresSegments(queries: Queries): Promise<FoundSegment[]> {
  const rows = await queries.all(selectSegmentsSql);
  return rows.map((row) => ({
    id: number(row, 'id'),
    first: number(row, 'first'),
    last: number(row, 'last'),
    entries: number(row, 'entries'),
    sha256: text(row, 'sha256'),
    isWhole: row.is_whole === true,
  }));
}

/**
 * Reads archived entries. An account's entries in a segment are older than those in later segments and in the
 * table.
 */
export class PostgresArchive {
  /** Segments by their id and content. Only their directories are kept. */
  readonly #files = new Map<string, SegmentFile>();

  file(queries: Queries, { id, sha256 }: PostgresSegment): SegmentFile {
    const name = `${id} ${sha256}`;
    const source = columnSource(queries, id);
    const openFile = this.#files.get(name);
    if (openFile) return openFile.from(source);
    const file = new SegmentFile(source);
    if (this.#files.size >= MAX_FILES) this.#files.delete(this.#files.keys().next().value!);
    this.#files.set(name, file);
    return file;
  }

  async find(queries: Queries, id: string): Promise<ArchivedRow | undefined> {
    return findArchived(await this.#readable(queries), id);
  }

  /** Returns an account's entries before a number, newest first. */
  async page(queries: Queries, page: ArchivePage): Promise<ArchivedRow[]> {
    return readArchivePage(await this.#readable(queries), page);
  }

  /** Returns the number of an account's last archived entry, or 0. */
  async lastOf(queries: Queries, accountId: string): Promise<number> {
    const [row] = await this.page(queries, { accountId, before: Number.MAX_SAFE_INTEGER, limit: 1 });
    return row?.number ?? 0;
  }

  async #readable(queries: Queries) {
    const segments = await selectPostgresSegments(queries);
    return { segments, fileOf: (segment: PostgresSegment) => this.file(queries, segment) };
  }
}

/** The column is stored uncompressed, so the server reads only the pages of these bytes. */
const selectBytesSql = `
  SELECT substring(content FROM $2::bigint::integer FOR $3::bigint::integer) AS bytes FROM ledger_segment WHERE id = $1`;

const columnSource = (queries: Queries, id: number): SegmentSource => ({
  name: `Row ${id} of ledger_segment`,
  remedy: SEGMENT_REMEDY,
  async open() {
    const row = await queries.first(
      'SELECT octet_length(content) AS size FROM ledger_segment WHERE id = $1',
      [id],
    );
    return {
      size: Number(row?.size ?? 0),
      async read(at, length) {
        const found = await queries.first(selectBytesSql, [id, at + 1, length]);
        const piece = found && Buffer.from(bytes(found, 'bytes'));
        if (piece?.length !== length) throw new Error('the segment ends too early');
        return piece;
      },
      close: async () => {},
    };
  },
});
