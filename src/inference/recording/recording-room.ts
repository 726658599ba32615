import type { SpaceBounds } from './space-bounds.ts';

type RoomParts = {
  bounds: SpaceBounds;
  /** The bytes of all answers of the same kind that run in this process. */
  running: { bytes: number };
  /** Removes the oldest kept answers beyond the bounds of the account and of the store. */
  trim(): Promise<void>;
};

/** The space of one answer while it runs. */
export class RecordingRoom {
  readonly #parts: RoomParts;
  #bytes = 0;

  constructor(parts: RoomParts) {
    this.#parts = parts;
  }

  /** True if the answer is small enough to be kept for retries. */
  get isReplayable(): boolean {
    return this.#bytes <= this.#parts.bounds.maxAccountReplayBytes;
  }

  /** Takes bytes. Returns false if the answer, or its kind in this process, has too many now. */
  take(bytes: number): boolean {
    const { bounds, running } = this.#parts;
    this.#bytes += bytes;
    running.bytes += bytes;
    return this.#bytes <= bounds.maxAnswerBytes && running.bytes <= bounds.maxRunningBytes;
  }

  /** Gives back all bytes, once the answer no longer runs or is no longer kept. */
  free(): void {
    this.#parts.running.bytes -= this.#bytes;
    this.#bytes = 0;
  }

  trim(): Promise<void> {
    return this.#parts.trim();
  }
}
