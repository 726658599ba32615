import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { randomText } from '../../base/lib/ids.ts';

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

  /** Undefined: the file does not exist or is empty. */
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

  /** Returns the configured token, else that of the last start, else a new one, and writes it to the file for the commands. */
  adminToken(configured: string | null): string {
    const token = configured ?? this.read('admin-token') ?? `tga_${randomText(43)}`;
    if (this.read('admin-token') !== token) this.write('admin-token', token);
    return token;
  }
}

function orExplain<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Unavailable(
      `${path} cannot be used (${(error as { code?: string }).code})`,
      'free some space or check the permissions of that path',
      error,
    );
  }
}
