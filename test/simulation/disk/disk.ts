import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Draws } from '../kernel/draws.ts';
import { readWal, tearWal, type WalExtent } from './write-ahead-log.ts';

/**
 * The behaviour of a disk: `full` refuses writes, `failing` refuses writes and flushes, `unsure` fails
 * flushes only, `slow` takes seconds.
 */
export type DiskState = 'well' | 'full' | 'failing' | 'unsure' | 'slow';

/**
 * A `kill` ends a process, and the system keeps its writes. A failure of `power` loses what was not flushed.
 */
export type CrashKind = 'kill' | 'power';

/** The members of the simulation that a disk needs. */
type Surroundings = { now: number; draws(purpose: string): Draws; note(line: string): void };
type Pending = { path: string; position: number; before: Buffer; after: Buffer };

const DATABASE = 'tollgate.db';

/** A directory that outlives its processes. Writes are real, and flushes are counted. */
export class Disk {
  readonly directory: string;
  #state: DiskState = 'well';
  /** The spans of its troubles. A trouble that continues has no end yet. */
  readonly #troubles: { from: number; until: number }[] = [];
  readonly #simulation: Surroundings;
  /** The part of each log that is flushed. */
  readonly #flushed = new Map<string, WalExtent>();
  /** Writes of plain files that are not flushed, oldest first. */
  #pending: Pending[] = [];

  constructor(simulation: Surroundings, directory: string) {
    this.#simulation = simulation;
    this.directory = directory;
  }

  get state(): DiskState {
    return this.#state;
  }

  set state(state: DiskState) {
    const { now } = this.#simulation;
    const last = this.#troubles.at(-1);
    if (last) last.until = Math.min(last.until, now);
    if (state !== 'well') this.#troubles.push({ from: now, until: Number.POSITIVE_INFINITY });
    this.#state = state;
  }

  /** Returns the longest time without trouble between two times. */
  longestWellMs(from: number, until: number): number {
    const inside = this.#troubles.filter((trouble) => trouble.until > from && trouble.from < until);
    const begins = [from, ...inside.map((trouble) => trouble.until)];
    const ends = [...inside.map((trouble) => trouble.from), until];
    return Math.max(...begins.map((begin, index) => ends[index]! - begin));
  }

  /** Returns the time that an operation takes. */
  delayMs(): number {
    const random = this.#simulation.draws('disk');
    return this.state === 'slow' ? 500 + 2_000 * random.next() : random.skewed(0.05, 8);
  }

  get refusesWrites(): boolean {
    return this.state === 'full' || this.state === 'failing';
  }

  get refusesFlushes(): boolean {
    return this.state === 'failing' || this.state === 'unsure';
  }

  /** Begins a flush. Call the result when it has ended. */
  beginFlush(path: string): () => void {
    const extent = path.endsWith('-wal') ? readWal(path, this.#flushed.get(path)) : undefined;
    const pending = this.#pending.filter((write) => write.path === path);
    return () => {
      if (extent) this.#flushed.set(path, extent);
      this.#pending = this.#pending.filter((write) => !pending.includes(write));
    };
  }

  wrote(write: Pending): void {
    this.#pending.push(write);
  }

  /**
   * Copies the state that the crash leaves. `install` moves the copy to the place of the directory, once the
   * process has closed its files.
   */
  die(crash: CrashKind): { install(): void } {
    const replacement = `${this.directory}.next`;
    rmSync(replacement, { recursive: true, force: true });
    copyDirectory(this.directory, replacement);
    if (crash === 'power') this.#lose(replacement);
    this.#pending = [];
    this.#flushed.clear();
    return {
      install: () => {
        rmSync(this.directory, { recursive: true, force: true });
        renameSync(replacement, this.directory);
        // What a crash has left is on the disk.
        this.beginFlush(join(this.directory, `${DATABASE}-wal`))();
      },
    };
  }

  #lose(copy: string): void {
    const random = this.#simulation.draws('torn writes');
    const wal = `${DATABASE}-wal`;
    if (statSync(join(copy, wal), { throwIfNoEntry: false })) {
      const flushed = this.#flushed.get(join(this.directory, wal));
      const torn = tearWal(join(copy, wal), flushed, random);
      this.#simulation.note(`power: ${torn} frames of the log are lost`);
    }
    for (const { path, position, before, after } of this.#pending.toReversed()) {
      const kept = random.of([0, 0, after.length, random.below(after.length + 1)]);
      if (path.startsWith(this.directory))
        overwrite(join(copy, path.slice(this.directory.length)), before.subarray(kept), position + kept);
    }
  }
}

function copyDirectory(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // Shared memory of the log: a new process makes it again.
    if (entry.name.endsWith('-shm')) continue;
    if (entry.isDirectory()) copyDirectory(join(from, entry.name), join(to, entry.name));
    else copyFileSync(join(from, entry.name), join(to, entry.name));
  }
}

function overwrite(path: string, bytes: Buffer, position: number): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, bytes, 0, bytes.length, position);
  } finally {
    closeSync(file);
  }
}
