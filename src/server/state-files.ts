import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomText } from '../lib/ids.ts';

/** Small files beside the store, readable by their owner alone. */
export class StateFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  path(name: 'admin-token' | 'first-key' | 'address'): string {
    return join(this.#directory, name);
  }

  read(name: 'admin-token' | 'first-key'): string | undefined {
    return existsSync(this.path(name))
      ? readFileSync(this.path(name), 'utf8').trim() || undefined
      : undefined;
  }

  write(name: 'admin-token' | 'first-key' | 'address', text: string): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    writeFileSync(this.path(name), `${text}\n`, { mode: 0o600 });
    chmodSync(this.path(name), 0o600);
  }

  /** The configured token, else the one of the last start, else a new one; the commands find it in the file. */
  adminToken(configured: string | null): string {
    const token = configured ?? this.read('admin-token') ?? `tga_${randomText(43)}`;
    if (this.read('admin-token') !== token) this.write('admin-token', token);
    return token;
  }
}
