/** The space left for the store in bytes: on its disk, and reusable inside its file. */
export type FreeBytes = { onDisk: number; inside: number };

export type FreeSpaceParts = {
  /** Returns undefined if the store cannot say. */
  measure(): Promise<FreeBytes | undefined>;
  /** Below this amount nothing new is stored. */
  floorBytes(): number;
  log(event: 'disk-space-low' | 'disk-space-recovered', facts: Record<string, unknown>): void;
};

const LOOK_EVERY_MS = 5_000;
/** Recovery needs a little more than the floor, so that the state does not flip at every measurement. */
const RECOVERED = 1.1;
/** The store writes to its log first. The log grows on the disk regardless of free space inside the file. */
const LOG_SHARE = 1 / 4;

/** Measures periodically whether there is space beyond what must be written. */
export class FreeSpace {
  readonly #parts: FreeSpaceParts;
  readonly #timer: Timer;
  isLow = false;
  /** The latest measurement. Undefined before the first one. */
  free: FreeBytes | undefined;

  constructor(parts: FreeSpaceParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /**
   * Measures the free space. Unknown space does not count as low. A store that is away reports that itself.
   */
  async look(): Promise<void> {
    const { measure, floorBytes, log } = this.#parts;
    this.free = await measure().catch(() => undefined);
    if (!this.free) return;
    const { onDisk, inside } = this.free;
    const floor = Math.floor(floorBytes() * (this.isLow ? RECOVERED : 1));
    const isLow = onDisk + inside < floor || onDisk < floor * LOG_SHARE;
    if (isLow === this.isLow) return;
    this.isLow = isLow;
    const facts = { free_mb: megabytes(onDisk + inside), min_free_mb: megabytes(floorBytes()) };
    log(isLow ? 'disk-space-low' : 'disk-space-recovered', facts);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
