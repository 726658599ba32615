import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOfError, codeOrText } from '../../base/lib/error-code.ts';

export type StateFile = 'admin-token' | 'first-key' | 'address';

/** Small files in the data directory, readable by their owner only. */
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
    return orExplain(this.path(name), () => readFileSync(this.path(name), 'utf8').trim()) || undefined;
  }

  write(name: StateFile, text: string): void {
    orExplain(this.path(name), () => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      writeFileSync(this.path(name), `${text}\n`, { mode: 0o600 });
      chmodSync(this.path(name), 0o600);
    });
  }

  /** Writes the file unless it exists. Of several processes that share the directory, one succeeds. */
  create(name: StateFile, text: string): boolean {
    return orExplain(this.path(name), () => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      try {
        writeFileSync(this.path(name), `${text}\n`, { mode: 0o600, flag: 'wx' });
        return true;
      } catch (error) {
        if (codeOfError(error) === 'EEXIST') return false;
        throw error;
      }
    });
  }

  remove(name: StateFile): void {
    orExplain(this.path(name), () => rmSync(this.path(name), { force: true }));
  }
}

function orExplain<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Unavailable(
      `${path} cannot be used (${codeOrText(error)})`,
      'free some space or check the permissions of that path',
      error,
    );
  }
}
