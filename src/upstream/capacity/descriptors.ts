import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Held back for what the program itself has to open: files, threads, connections to providers that are under way. */
const MOST_RESERVED = 64;
const RESERVED_SHARE = 1 / 8;

const OPEN = '/proc/self/fd';
const LIMITS = '/proc/self/limits';

/** The file descriptors of this process. Where the system has no `/proc`, nothing is known of them and they are never short. */
export class Descriptors {
  readonly limit: number;
  /** Whether counting them costs microseconds: the kernel tells their number since Linux 6.2, else they are listed. */
  readonly isCheap: boolean;
  readonly #usable: number;

  constructor(limit = softLimit()) {
    this.limit = limit;
    this.isCheap = sizeOfDirectory() > 0;
    this.#usable = limit - Math.min(MOST_RESERVED, limit * RESERVED_SHARE);
  }

  inUse(): number {
    const size = sizeOfDirectory();
    if (size > 0) return size;
    try {
      return readdirSync(OPEN).length - 1; // less the one that lists them
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EMFILE' ? this.limit : 0;
    }
  }

  /** Of those that requests may use; over 1 the reserve is being eaten up. */
  share(inUse = this.inUse()): number {
    return inUse / this.#usable;
  }

  /** Whether the next one is refused. */
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

function softLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, 'utf8'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
