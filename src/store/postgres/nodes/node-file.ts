import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER_ONLY = 0o600;

/**
 * The id of the node on this directory.
 * The next process ends what a crash of this one leaves, without waiting for the other nodes.
 */
export class NodeFile {
  readonly #path: string;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#path = join(directory, 'node');
  }

  read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8').trim() || undefined;
    } catch {
      return undefined;
    }
  }

  /** The other nodes do the same a little later, so a full disk must not keep a node from its database. */
  write(id: string): void {
    try {
      writeFileSync(this.#path, `${id}\n`, { mode: OWNER_ONLY });
    } catch {
      // The next process finds no id, or an earlier one that is closed.
    }
  }
}
