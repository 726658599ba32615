import type { JobIdentity } from '../../../base/jobs/job.ts';
import type { Posting } from '../../../money/ledger/ledger-store.ts';

/** Holds of an earlier process for items at providers, by request id. */
export class UnclaimedHolds {
  readonly #holds = new Map<string, { posting: Posting; away: JobIdentity }>();

  add(posting: Posting, away: JobIdentity): void {
    this.#holds.set(posting.hold.order.requestId, { posting, away });
  }

  take(requestId: string): Posting | undefined {
    const unclaimed = this.#holds.get(requestId);
    this.#holds.delete(requestId);
    return unclaimed?.posting;
  }

  /** Removes and returns the holds of a batch. */
  takeAll(batch: number): Posting[] {
    const ofBatch = [...this.#holds.values()].filter(({ away }) => away.batch === batch);
    return ofBatch.map(({ posting }) => {
      this.#holds.delete(posting.hold.order.requestId);
      return posting;
    });
  }
}
