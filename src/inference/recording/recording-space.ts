import { RecordingRoom } from './recording-room.ts';
import type { RecordingStore, TrimBound } from './recording-store.ts';
import { type SpaceLimits, spaceBounds } from './space-bounds.ts';

/** The sums of all accounts are read at most this often, for each kind. */
const TRIM_EVERY_MS = 1_000;

/** The account of an answer, and the limits of its configuration. */
type RecordingOwner = { accountId: string; isResumable: boolean; limits: SpaceLimits };

/** Bounds the bytes of the answers that run in this process, and of those that the store keeps. */
export class RecordingSpace {
  readonly #store: Pick<RecordingStore, 'trim'>;
  /** The bytes of the answers that run, by kind. */
  readonly #running = { streams: { bytes: 0 }, others: { bytes: 0 } };
  readonly #trimmedAt = { replays: Number.NEGATIVE_INFINITY, streams: Number.NEGATIVE_INFINITY };

  constructor(store: Pick<RecordingStore, 'trim'>) {
    this.#store = store;
  }

  /** Returns the space of one answer within the limits of its configuration. */
  roomFor({ accountId, isResumable, limits }: RecordingOwner): RecordingRoom {
    const bounds = spaceBounds(limits, { isResumable });
    return new RecordingRoom({
      bounds,
      running: isResumable ? this.#running.streams : this.#running.others,
      trim: async () => {
        await this.#store.trim({ kind: 'replays', accountId, maxBytes: bounds.maxAccountReplayBytes });
        await this.#trimAll('replays', bounds.maxReplayBytes);
        if (isResumable) await this.#trimAll('streams', bounds.maxStreamBytes);
      },
    });
  }

  /**
   * Removes the oldest answers of all accounts beyond a bound, unless that was done less than a second ago.
   */
  async #trimAll(kind: TrimBound['kind'], maxBytes: number): Promise<void> {
    const now = performance.now();
    if (now - this.#trimmedAt[kind] < TRIM_EVERY_MS) return;
    this.#trimmedAt[kind] = now;
    await this.#store.trim({ kind, accountId: null, maxBytes });
  }
}
