import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import { codeOfError, codeOrText } from '../../../base/lib/error-code.ts';

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

  /** Reads the id of the latest node. Undefined on the first start. */
  read(): string | undefined {
    try {
      return readFileSync(this.#path, 'utf8').trim() || undefined;
    } catch (error) {
      if (codeOfError(error) === 'ENOENT') return undefined;
      throw new Unavailable(
        `${this.#path} cannot be read (${codeOrText(error)})`,
        'check the permissions of that path',
        error,
      );
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
