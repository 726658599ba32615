import { RecordingRoom } from './recording-room.ts';
import type { RecordingStore } from './recording-store.ts';
import { type SpaceBounds, type SpaceLimits, spaceBounds } from './space-bounds.ts';

/** The sums of all accounts are read at most this often. */
const TRIM_EVERY_MS = 1_000;

type RoomOrder = { accountId: string; isResumable: boolean; limits: SpaceLimits };

type TrimmedStore = Pick<RecordingStore, 'trim'>;

/** Bounds the bytes of the answers that run in this process, and of those that the store keeps. */
export class RecordingSpace {
  readonly #store: TrimmedStore;
  /** The bytes of the answers that run, by kind. */
  readonly #running = { streams: { bytes: 0 }, others: { bytes: 0 } };
  #trimmedAt = 0;

  constructor(store: TrimmedStore) {
    this.#store = store;
  }

  /** Returns the space of one answer within the limits of its configuration. */
  roomFor({ accountId, isResumable, limits }: RoomOrder): RecordingRoom {
    const bounds = spaceBounds(limits, { isResumable });
    return new RecordingRoom({
      bounds,
      running: isResumable ? this.#running.streams : this.#running.others,
      trim: async () => {
        await this.#store.trim({ kind: 'replays', accountId, maxBytes: bounds.maxAccountReplayBytes });
        if (this.#isTrimDue()) await this.#trimAll(bounds, { isResumable });
      },
    });
  }

  /** Removes the oldest answers of all accounts that are beyond the bounds. */
  async #trimAll(
    { maxReplayBytes, maxStreamBytes }: SpaceBounds,
    { isResumable }: { isResumable: boolean },
  ): Promise<void> {
    await this.#store.trim({ kind: 'replays', accountId: null, maxBytes: maxReplayBytes });
    if (isResumable) await this.#store.trim({ kind: 'streams', accountId: null, maxBytes: maxStreamBytes });
  }

  /** Reports whether the sums of all accounts are due, and notes that they are read now. */
  #isTrimDue(): boolean {
    const now = performance.now();
    if (now - this.#trimmedAt < TRIM_EVERY_MS) return false;
    this.#trimmedAt = now;
    return true;
  }
}
