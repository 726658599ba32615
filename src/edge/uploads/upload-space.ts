import { mkdir, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../../base/errors/refusal.ts';
import { type OpenedFile, UnlinkedFile } from './unlinked-file.ts';

export type UploadSpaceOptions = {
  /** The folder for the files. It is made when it is first needed. */
  directory: string;
  /** The bytes that all uploads may take on the disk together. */
  maxBytes(): number;
  /** Reports to the operator that the disk refused an upload. */
  onFailure?(error: unknown): void;
};

/**
 * An account can hold at most this many times the space that it leaves free, so it cannot keep others out.
 */
const SHARE = 4;
const WAIT_MS = 5_000;
const SUFFIX = '.upload';

/** The disk space for uploads that are too large for memory. */
export class UploadSpace {
  readonly #options: UploadSpaceOptions;
  readonly #held = new Map<string, number>();
  #used = 0;
  #ready: Promise<void> | undefined;

  constructor(options: UploadSpaceOptions) {
    this.#options = options;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** Reserves space for a part of an upload, or returns false if there is none. */
  take(account: string, bytes: number): boolean {
    const held = this.#held.get(account) ?? 0;
    const freeBytes = this.#options.maxBytes() - this.#used - bytes;
    if (freeBytes < 0 || (held > 0 && held + bytes > SHARE * freeBytes)) return false;
    this.#move(account, held + bytes);
    return true;
  }

  giveBack(account: string, bytes: number): void {
    this.#move(account, (this.#held.get(account) ?? 0) - bytes);
  }

  /** Opens a file without a name. The system removes it when the process ends, even after a crash. */
  async openFile(): Promise<UnlinkedFile> {
    this.#ready ??= this.#prepare();
    try {
      await this.#ready;
      return new UnlinkedFile(await this.#open());
    } catch (error) {
      this.#ready = undefined; // the folder may have been removed
      throw error;
    }
  }

  /** Returns the refusal for an upload that the disk does not accept. */
  refusalFor(error: unknown): Refusal {
    this.#options.onFailure?.(error);
    return new Refusal('capacity_unavailable', {
      message: 'The server cannot store the upload at the moment.',
      retryAfterMs: WAIT_MS,
      reason: 'disk',
      cause: error,
    });
  }

  /** A crash between the two steps leaves a file, which `#prepare` removes at the next start. */
  async #open(): Promise<OpenedFile> {
    const path = join(this.#options.directory, `${crypto.randomUUID()}${SUFFIX}`);
    const file = await open(path, 'wx+', 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return file;
  }

  async #prepare(): Promise<void> {
    const { directory } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o700 });

    // Another process may remove the same file.
    for (const name of await readdir(directory))
      if (name.endsWith(SUFFIX)) await unlink(join(directory, name)).catch(() => {});
  }

  #move(account: string, held: number): void {
    this.#used += held - (this.#held.get(account) ?? 0);
    if (held > 0) this.#held.set(account, held);
    else this.#held.delete(account);
  }
}
