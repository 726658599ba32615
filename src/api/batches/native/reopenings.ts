import type { RunningBatch } from '../batch-store.ts';
import type { OpenSubmission } from './open-submission.ts';

type Reopen = (id: number, batch: RunningBatch) => Promise<OpenSubmission | undefined>;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Submissions of an earlier process that are being looked up: each once, for however many items. A look-up that fails is tried again while
 * the items wait: an item that were given back would be sent a second time.
 */
export class Reopenings {
  readonly #reopen: Reopen;
  readonly #onFailure: (error: unknown) => void;
  readonly #underWay = new Map<number, Promise<OpenSubmission | undefined>>();
  #isClosed = false;

  constructor(reopen: Reopen, onFailure: (error: unknown) => void) {
    this.#reopen = reopen;
    this.#onFailure = onFailure;
  }

  /** Undefined: the provider does not have it, or the server ends. */
  open(id: number, batch: RunningBatch): Promise<OpenSubmission | undefined> {
    const known = this.#underWay.get(id);
    if (known) return known;
    const opening = this.#untilKnown(id, batch).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, opening);
    return opening;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #untilKnown(id: number, batch: RunningBatch): Promise<OpenSubmission | undefined> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.#isClosed; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
      try {
        return await this.#reopen(id, batch);
      } catch (error) {
        this.#onFailure(error);
      }
      await Bun.sleep(pauseMs);
    }
    return undefined;
  }
}
