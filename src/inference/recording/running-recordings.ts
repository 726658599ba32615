import type { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Recording } from './recording.ts';
import type { RecordingParts } from './recording-parts.ts';

/** A process that does not renew its hold for this long has died. */
const HELD_MS = 10_000;
const READ_MS = 3_000;
const RENEW_EVERY_MS = 1_000;

type RunningParts = Pick<RecordingParts, 'store' | 'clock' | 'isShared' | 'onFailure'>;

/** Holds the answers that run in this process, and renews their hold in the store. */
export class RunningRecordings {
  /** Names this process as the holder and the reader of answers. */
  readonly holder = newId('rec_');
  readonly byRequest = new Map<string, Recording>();
  /** The ids of answers that are not valid and are still in the store, which was unavailable. */
  readonly invalid = new Set<string>();
  readonly #parts: RunningParts;
  #timer: Timer | undefined;

  constructor(parts: RunningParts) {
    this.#parts = parts;
  }

  /** Forgets the answers of the process before this one. `hasReaders`: clients read answers here. */
  start(hasReaders: () => boolean): void {
    const { store, clock, isShared, onFailure } = this.#parts;
    this.#timer = setInterval(() => void this.#renew(hasReaders), RENEW_EVERY_MS);
    this.#timer.unref();
    if (!isShared) store.leaveOthers(this.holder, clock.now()).catch(onFailure);
  }

  /** Ends the answers that nobody waits for. */
  close(): void {
    clearInterval(this.#timer);
    for (const recording of this.byRequest.values()) recording.abandon();
  }

  /** Returns the times until which this process holds and reads its answers. */
  heldFrom(now: number): { heldUntil: number; readUntil: number } {
    return { heldUntil: now + HELD_MS, readUntil: now + READ_MS };
  }

  /** Ends a recording, and gives back the space that it took. */
  async end(recording: Recording, refusal?: Refusal): Promise<void> {
    await recording.end(refusal);
    this.byRequest.delete(recording.requestId);
    recording.options.room.free();
  }

  async #renew(hasReaders: () => boolean): Promise<void> {
    const { store, clock, onFailure } = this.#parts;
    await this.#removeInvalid();
    if (this.byRequest.size === 0 && !hasReaders()) return;
    await store.renew(this.holder, this.heldFrom(clock.now())).catch(onFailure);
  }

  /** Removes invalid answers from the store, until it is unavailable again. */
  async #removeInvalid(): Promise<void> {
    for (const id of this.invalid) {
      const isRemoved = await this.#parts.store.remove(id).then(
        () => true,
        () => false,
      );
      if (!isRemoved) return;
      this.invalid.delete(id);
    }
  }
}
