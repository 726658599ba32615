import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../base/lib/sync-directory.ts';
import { writeAll } from '../../base/lib/write-all.ts';
import type { SegmentSink } from './segment-sink.ts';

const OWNER_ONLY = 0o600;

/** The ending of a file that is not whole yet. */
export const TEMPORARY = '.tmp';

/** A segment that is being written. The file gets its own name when it is whole and on disk. */
export class NewSegmentFile implements SegmentSink {
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async create(path: string): Promise<NewSegmentFile> {
    return new NewSegmentFile(path, await open(path + TEMPORARY, 'w', OWNER_ONLY));
  }

  append(bytes: Uint8Array, at: number): Promise<void> {
    return writeAll(this.#file, bytes, at);
  }

  flush(): Promise<void> {
    return this.#file.sync();
  }

  /** Gives the file its name. */
  async publish(): Promise<void> {
    await rename(this.#path + TEMPORARY, this.#path);
    await syncDirectory(dirname(this.#path));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
