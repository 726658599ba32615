import type { KeptBytes } from '../../base/forms/form.ts';
import { WorkSlice, YieldQueue } from '../../base/lib/yield-queue.ts';

/** The work on one window does not give way. */
const WINDOW_BYTES = 64 * 1024;
/** Reads between two looks at the clock. */
const READS_AT_A_TIME = 64;
const NOTHING = Buffer.alloc(0);

/** The place of a sound file in the kept bytes. */
export type SoundPlace = { at: number; byteLength: number };

/** The file has more elements than any sound. */
export class TooManySteps extends Error {}

/**
 * Reads a sound file at any place, through a window that moves over it.
 * Long reading gives way to other requests.
 */
export class SoundReader {
  readonly size: number;
  readonly #content: KeptBytes;
  readonly #at: number;
  #window: Buffer = NOTHING;
  #start = 0;
  #reads = 0;
  #steps = 0;
  readonly #slice = new WorkSlice(new YieldQueue());

  constructor({ at, byteLength }: SoundPlace, content: KeptBytes) {
    this.#content = content;
    this.#at = at;
    this.size = byteLength;
  }

  /** Returns `length` bytes, or fewer at the end of the file. */
  async bytes(at: number, length: number): Promise<Buffer> {
    const end = Math.min(this.size, at + length);
    if (at >= end || at < 0) return NOTHING;
    if (++this.#reads % READS_AT_A_TIME === 0 && this.#slice.isOver) await this.#slice.giveWay();
    if (at < this.#start || end > this.#start + this.#window.length) await this.#move(at, end - at);
    return this.#window.subarray(at - this.#start, end - this.#start);
  }

  /** Returns the window from a place on: at least `leastBytes`, unless the file ends before. */
  async windowFrom(at: number, leastBytes: number): Promise<Buffer> {
    await this.bytes(at, leastBytes);
    return at < this.size ? this.#window.subarray(at - this.#start) : NOTHING;
  }

  /** Counts an element of the file. Throws if there are more than `max`. */
  countStep(max: number): void {
    if (++this.#steps > max) throw new TooManySteps();
  }

  async #move(at: number, length: number): Promise<void> {
    if (this.#slice.isOver) await this.#slice.giveWay();
    const wanted = Math.min(Math.max(length, WINDOW_BYTES), this.size - at);
    const read = await this.#content.read(this.#at + at, wanted);
    if (read.byteLength < wanted) throw new Error('the kept file is shorter than what arrived');
    this.#window = Buffer.from(read.buffer, read.byteOffset, read.byteLength);
    this.#start = at;
  }
}
