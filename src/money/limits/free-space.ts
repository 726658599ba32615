/** What is left for the store: on its disk, and of what it holds there already. In bytes. */
export type Free = { onDisk: number; inside: number };

export type FreeSpaceParts = {
  measure(): Promise<Free>;
  /** Below it nothing new is stored. */
  floorBytes(): number;
  tell(event: 'disk-space-low' | 'disk-space-recovered', facts: Record<string, unknown>): void;
};

const LOOK_EVERY_MS = 5_000;
/** A little more than the floor has to be free again, so that the state does not change with every look. */
const RECOVERED = 1.1;
/** The store writes to its log first, which grows on the disk whatever is free inside. */
const LOG_SHARE = 1 / 4;

/** Looks now and then whether there is room for more than what has to be written. */
export class FreeSpace {
  readonly #parts: FreeSpaceParts;
  readonly #timer: Timer;
  isLow = false;
  /** At the last look; undefined where nobody can tell. */
  free: Free | undefined;

  constructor(parts: FreeSpaceParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** What cannot be measured is not taken for low: a store that is away says so by itself. */
  async look(): Promise<void> {
    const { measure, floorBytes, tell } = this.#parts;
    this.free = await measure().catch(() => undefined);
    if (!this.free) return;
    const { onDisk, inside } = this.free;
    const floor = Math.floor(floorBytes() * (this.isLow ? RECOVERED : 1));
    const isLow = onDisk + inside < floor || onDisk < floor * LOG_SHARE;
    if (isLow === this.isLow) return;
    this.isLow = isLow;
    const facts = { free_mb: megabytes(onDisk + inside), min_free_mb: megabytes(floorBytes()) };
    tell(isLow ? 'disk-space-low' : 'disk-space-recovered', facts);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

const megabytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
