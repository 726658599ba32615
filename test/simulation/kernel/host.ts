import type { Database } from 'bun:sqlite';
import { closeSync } from 'node:fs';
import type { Disk } from '../disk/disk.ts';

/** A simulated process. Its scheduled work is dropped when it crashes or ends. */
export class Host {
  readonly name: string;
  readonly disk: Disk | undefined;
  /** The databases that the process has open. */
  readonly databases = new Set<Database>();
  /** The descriptors of its other open files. */
  readonly files = new Set<number>();
  /** The listeners of the process's crash. They close the connections of its peers. */
  readonly crashListeners = new Set<() => void>();
  isAlive = true;
  diedAt = Number.POSITIVE_INFINITY;

  constructor(name: string, disk?: Disk) {
    this.name = name;
    this.disk = disk;
  }

  /** Closes what the process has left open. */
  closeFiles(): void {
    for (const database of this.databases) database.close();
    for (const file of this.files) closeSync(file);
    this.files.clear();
  }
}
