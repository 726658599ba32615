import { dirname, join } from 'node:path';
import type { ArchivedRow } from '../../archive/archived-row.ts';
import { type ArchivePage, findArchived, readArchivePage } from '../../archive/read-segments.ts';
import { SegmentFile } from '../../archive/segment-file.ts';
import { ARCHIVE_FOLDER } from '../data-directory.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { type Segment, selectSegments } from './segments.ts';

/** The directories of this many segments stay in memory, about 10 KB each. */
const MAX_FILES = 1_024;

/** Reads archived entries. They are the oldest ones, up to the number `upTo`. */
export class LedgerArchive {
  readonly directory: string;
  readonly #files = new Map<string, SegmentFile>();
  #segments: readonly Segment[];

  constructor(connection: SqliteConnection) {
    this.directory = join(dirname(connection.path), ARCHIVE_FOLDER);
    this.#segments = selectSegments(connection);
  }

  /** The largest number of an archived entry, or 0. */
  get upTo(): number {
    return this.#segments.at(-1)?.last ?? 0;
  }

  /** The segments, oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Adds a segment that was recorded. */
  add(segment: Segment): void {
    this.#segments = [...this.#segments, segment];
  }

  find(id: string): Promise<ArchivedRow | undefined> {
    return findArchived(this.#source, id);
  }

  /** Returns an account's entries before a number, newest first. */
  page(page: ArchivePage): Promise<ArchivedRow[]> {
    return readArchivePage(this.#source, page);
  }

  get #source() {
    return { segments: this.#segments, fileOf: (segment: Segment) => this.fileOf(segment) };
  }

  fileOf({ file }: Segment): SegmentFile {
    const segment = this.#files.get(file);
    if (segment) return segment;
    const opened = new SegmentFile(join(this.directory, file));
    if (this.#files.size >= MAX_FILES) this.#files.delete(this.#files.keys().next().value!);
    this.#files.set(file, opened);
    return opened;
  }
}
