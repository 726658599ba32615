import type { JobIdentity } from '../../../base/jobs/job.ts';
import type { Posting } from '../../../money/ledger/ledger-store.ts';

/** Holds of an earlier process for items at providers, by request id. */
export class UnclaimedHolds {
  readonly #left = new Map<string, { posting: Posting; away: JobIdentity }>();

  add(posting: Posting, away: JobIdentity): void {
    this.#left.set(posting.hold.order.requestId, { posting, away });
  }

  take(requestId: string): Posting | undefined {
    const left = this.#left.get(requestId);
    this.#left.delete(requestId);
    return left?.posting;
  }

  /** Removes and returns the holds of a batch. */
  takeAll(batch: number): Posting[] {
    const ofBatch = [...this.#left.values()].filter(({ away }) => away.batch === batch);
    return ofBatch.map(({ posting }) => {
      this.#left.delete(posting.hold.order.requestId);
      return posting;
    });
  }
}
