import { createHash } from 'node:crypto';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../sync-directory.ts';
import { type ArchivedRow, formatRow } from './archived-row.ts';
import {
  formatDirectory,
  formatIndex,
  keyOf,
  type SegmentBlock,
  type SegmentDirectory,
  skippableFrame,
} from './segment-format.ts';

const OWNER_ONLY = 0o600;
/** Higher levels save less than 2 %. */
const LEVEL = 9;

/** A file that is not whole yet. */
export const TEMPORARY = '.tmp';

/** Writes a segment under a temporary name. The file has its own name only once it is whole and on disk. */
export class SegmentWriter {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #digest = createHash('sha256');
  readonly #blocks: SegmentBlock[] = [];
  readonly #keys: bigint[] = [];
  readonly #ids: SegmentDirectory['ids'] = {};
  #end = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<SegmentWriter> {
    return new SegmentWriter(path, await open(path + TEMPORARY, 'w', OWNER_ONLY));
  }

  /** Adds the entries of one frame. */
  async addBlock(rows: readonly ArchivedRow[]): Promise<void> {
    const bytes = await Bun.zstdCompress(rows.map(formatRow).join(''), { level: LEVEL });
    for (const { id } of rows) this.#addId(id);
    this.#blocks.push({
      ...{ offset: this.#end, length: bytes.length },
      ...{ firstAccount: rows[0]!.accountId, lastAccount: rows.at(-1)!.accountId },
    });
    await this.#append(bytes);
  }

  /** Adds the index and the directory, and flushes the file. Returns its size and SHA-256. */
  async finish(): Promise<{ bytes: number; sha256: string }> {
    const { bytes, starts } = formatIndex(BigUint64Array.from(this.#keys));
    const index = { offset: this.#end, starts };
    await this.#append(skippableFrame(bytes));
    const parts = { blocks: this.#blocks, ids: this.#ids, index };
    const directory = formatDirectory({ version: 1, entries: this.#keys.length, ...parts });
    await this.#append(skippableFrame(directory));
    await this.#file.sync();
    return { bytes: this.#end, sha256: this.#digest.digest('hex') };
  }

  /** Gives the file its name. */
  async publish(): Promise<void> {
    await rename(this.#path + TEMPORARY, this.#path);
    await syncDirectory(dirname(this.#path));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #addId(id: string): void {
    this.#keys.push(keyOf(id, this.#blocks.length));
    const [first, last] = this.#ids[id.length] ?? [id, id];
    this.#ids[id.length] = [id < first ? id : first, id > last ? id : last];
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#digest.update(bytes);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#end + done);
      done += bytesWritten;
    }
    this.#end += bytes.length;
  }
}
