import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOrText } from '../../base/lib/error-code.ts';
import { createWhole, writeWhole } from '../../settings/config/replace-file.ts';

export type StateFile = 'admin-token' | 'first-key' | 'address';

const OWNER_ONLY = { file: 0o600, directory: 0o700 };

/**
 * Reads and writes small files of the data directory, which only their owner can read. Each is written as a
 * whole, so that a full disk or a crash leaves the former content and never a part of the new one.
 */
export class StateFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  path(name: StateFile): string {
    return join(this.#directory, name);
  }

  exists(name: StateFile): boolean {
    return existsSync(this.path(name));
  }

  /** Returns undefined if the file does not exist or is empty. */
  read(name: StateFile): string | undefined {
    if (!this.exists(name)) return undefined;
    const path = this.path(name);
    try {
      return readFileSync(path, 'utf8').trim() || undefined;
    } catch (error) {
      throw unusable(path, error);
    }
  }

  write(name: StateFile, text: string): Promise<void> {
    return this.#inDirectory(name, (path) => writeWhole(path, `${text}\n`, OWNER_ONLY.file));
  }

  /** Writes the file unless it exists. Of several processes that share the directory, one succeeds. */
  create(name: StateFile, text: string): Promise<boolean> {
    return this.#inDirectory(name, (path) => createWhole(path, `${text}\n`, OWNER_ONLY.file));
  }

  remove(name: StateFile): Promise<void> {
    return this.#inDirectory(name, (path) => rm(path, { force: true }));
  }

  async #inDirectory<T>(name: StateFile, change: (path: string) => Promise<T>): Promise<T> {
    const path = this.path(name);
    try {
      await mkdir(this.#directory, { recursive: true, mode: OWNER_ONLY.directory });
      return await change(path);
    } catch (error) {
      throw unusable(path, error);
    }
  }
}

const unusable = (path: string, cause: unknown): Unavailable =>
  new Unavailable(
    `${path} cannot be used (${codeOrText(cause)})`,
    'free some space or check the permissions of that path',
    cause,
  );
