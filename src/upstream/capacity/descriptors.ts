import { readdirSync, statSync } from 'node:fs';
import { descriptorLimit } from '../../base/lib/descriptor-limit.ts';
import { codeOfError } from '../../base/lib/error-code.ts';

/** The reserve for the process itself: files, threads, and open calls to providers. */
const MAX_RESERVED = 64;
const RESERVED_SHARE = 1 / 8;

const OPEN = '/proc/self/fd';

/**
 * Counts the file descriptors of this process. On systems without `/proc` they are unknown and never short.
 */
export class Descriptors {
  readonly limit: number;
  /**
   * True if counting costs microseconds. Since Linux 6.2 the kernel reports the number; before, descriptors
   * must be listed.
   */
  readonly isCheap: boolean;
  readonly #usable: number;

  constructor(limit = descriptorLimit() ?? Number.POSITIVE_INFINITY) {
    this.limit = limit;
    this.isCheap = sizeOfDirectory() > 0;
    this.#usable = limit - Math.min(MAX_RESERVED, limit * RESERVED_SHARE);
  }

  inUse(): number {
    const size = sizeOfDirectory();
    if (size > 0) return size;
    try {
      return readdirSync(OPEN).length - 1; // less the descriptor of the listing itself
    } catch (error) {
      return codeOfError(error) === 'EMFILE' ? this.limit : 0;
    }
  }

  /** The used share of the descriptors that requests may use. Above 1 the reserve is in use. */
  share(inUse = this.inUse()): number {
    return inUse / this.#usable;
  }

  /** Reports whether no further descriptor can be opened. */
  areGone(): boolean {
    return this.inUse() >= this.limit - 1;
  }
}

function sizeOfDirectory(): number {
  try {
    return statSync(OPEN).size;
  } catch {
    return 0;
  }
}
