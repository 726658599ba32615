import type { Booking } from '../../base/memory/booking.ts';
import type { WrittenPart } from './recording-store.ts';

/** Frames reach the store this often if somebody else can read them. */
const FLUSH_AFTER_MS = 100;
/** More than this does not wait in memory. */
const MAX_WAITING_BYTES = 256 * 1024;

type WaitingParts = {
  /** Somebody else can read the frames while the answer runs. */
  isFollowed: boolean;
  openMemory(): Booking;
  /** The queue calls it when the frames are due to be written. */
  onDue(): void;
};

/** Holds the frames of an answer until they are written, and books their memory until the store has them. */
export class WaitingFrames {
  readonly #parts: WaitingParts;
  #isFollowed: boolean;
  #memory: Booking | undefined;
  #text = '';
  #bytes = 0;
  #lastFrame = 0;
  #timer: Timer | undefined;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
    this.#isFollowed = parts.isFollowed;
  }

  /** Frames are due at once, and from now on at short intervals. */
  follow(): void {
    this.#isFollowed = true;
    this.#parts.onDue();
  }

  /** Books memory for frames. Returns false if there is not enough. */
  book(bytes: number): boolean {
    this.#memory ??= this.#parts.openMemory();
    return this.#memory.growNow(bytes);
  }

  /** Adds frames whose memory is booked. */
  add(frames: string, { bytes, lastFrame }: { bytes: number; lastFrame: number }): void {
    this.#text += frames;
    this.#bytes += bytes;
    this.#lastFrame = lastFrame;
    if (this.#bytes > MAX_WAITING_BYTES) this.#parts.onDue();
    else if (this.#isFollowed) this.#timer ??= setTimeout(this.#parts.onDue, FLUSH_AFTER_MS);
  }

  /** Removes the frames, and returns them as one part. Returns no part if there are none. */
  take(): WrittenPart[] {
    const text = this.#text;
    this.#text = '';
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return text === '' ? [] : [{ lastFrame: this.#lastFrame, text }];
  }

  /** Gives back the memory of parts that the store has now. */
  unbook(parts: readonly WrittenPart[]): void {
    const memory = this.#memory;
    for (const { text } of parts) memory?.shrink(memory.held - Buffer.byteLength(text));
  }

  /** Drops the frames, and gives back all memory. */
  drop(): void {
    this.take();
    this.#memory?.free();
  }
}
