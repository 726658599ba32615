import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { OpenSubmission } from './open-submission.ts';

type Reopen = (id: number, batch: RunningBatch) => Promise<OpenSubmission | undefined>;

const BACKOFF = { firstMs: 500, maxMs: 60_000 };

/**
 * Looks up submissions of an earlier process, each once for all of its items. A failed look-up is retried
 * while the items wait, since giving an item back would send it a second time.
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

  /** Looks up a submission. Returns undefined if the provider does not have it, or the server stops. */
  open(id: number, batch: RunningBatch): Promise<OpenSubmission | undefined> {
    const reopening = this.#underWay.get(id);
    if (reopening) return reopening;
    const opening = this.#untilKnown(id, batch).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, opening);
    return opening;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #untilKnown(id: number, batch: RunningBatch): Promise<OpenSubmission | undefined> {
    for (let failures = 0; !this.#isClosed; failures++) {
      try {
        return await this.#reopen(id, batch);
      } catch (error) {
        this.#onFailure(error);
      }
      await Bun.sleep(backoffMs(failures, BACKOFF));
    }
    return undefined;
  }
}
