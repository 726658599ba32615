import { statSync } from 'node:fs';
import { StoreProblem } from './store-problem.ts';

/**
 * Detects whether an open file is still at its path. If a data directory is moved or deleted, an open file
 * continues to accept writes that would be lost.
 */
export class FileIdentity {
  readonly #path: string;
  readonly #identity: string | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#identity = identityOf(path);
  }

  problem(): StoreProblem | undefined {
    const identity = identityOf(this.#path);
    if (identity !== undefined && identity === this.#identity) return undefined;
    if (identity === undefined) {
      return new StoreProblem(
        `${this.#path} is no longer at its path`,
        'move it back, or restart the server to create a new one',
      );
    }
    return new StoreProblem(
      `${this.#path} was replaced while the server ran`,
      'restore the earlier file, or restart the server to use the new one',
    );
  }
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
