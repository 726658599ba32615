import { MEGABYTE } from '../../base/lib/units.ts';
import type { RecordingRoom } from './one-recording.ts';
import type { RecordingStore } from './recording-store.ts';

/** The share of an account in the space that is kept for retries. */
const ACCOUNT_SHARE = 1 / 8;
/** The sums of all accounts are read at most this often. */
const TRIM_EVERY_MS = 1_000;

type SpaceLimits = { replay_mb: number; stream_log_mb: number };
type RoomOrder = { accountId: string; isResumable: boolean; limits: SpaceLimits };

/** Bounds the bytes of the answers that run in this process, and of those that the store keeps. */
export class RecordingSpace {
  readonly #store: Pick<RecordingStore, 'trim'>;
  /** The bytes of the streams and of the other answers that run. */
  readonly #bytes = { stream: 0, replay: 0 };
  #trimmedAt = 0;

  constructor(store: Pick<RecordingStore, 'trim'>) {
    this.#store = store;
  }

  /** Returns the space of one answer within the limits of its configuration. */
  roomFor({ accountId, isResumable, limits }: RoomOrder): RecordingRoom {
    const kind = isResumable ? 'stream' : 'replay';
    const maxReplayBytes = limits.replay_mb * MEGABYTE * ACCOUNT_SHARE;
    const maxStreamBytes = limits.stream_log_mb * MEGABYTE;
    const maxRunningBytes = isResumable ? maxStreamBytes : limits.replay_mb * MEGABYTE;
    return {
      maxBytes: isResumable ? maxStreamBytes : maxReplayBytes,
      maxReplayBytes,
      take: (bytes) => {
        this.#bytes[kind] += bytes;
        return this.#bytes[kind] <= maxRunningBytes;
      },
      giveBack: (bytes) => {
        this.#bytes[kind] -= bytes;
      },
      trim: async () => {
        await this.#store.trim({ kind: 'replays', accountId, maxBytes: maxReplayBytes });
        if (!this.#isTrimDue()) return;
        await this.#store.trim({ kind: 'replays', accountId: null, maxBytes: limits.replay_mb * MEGABYTE });
        if (isResumable)
          await this.#store.trim({ kind: 'streams', accountId: null, maxBytes: maxStreamBytes });
      },
    };
  }

  /** Reports whether the sums of all accounts are due, and notes that they are read now. */
  #isTrimDue(): boolean {
    const now = performance.now();
    if (now - this.#trimmedAt < TRIM_EVERY_MS) return false;
    this.#trimmedAt = now;
    return true;
  }
}
