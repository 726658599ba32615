import { DelayedWrite } from '../../base/lib/delayed-write.ts';
import { MAX_USERS_A_DAY, type RequestSum, type UsageStore } from './usage-store.ts';

/** The time for which sums wait, so that many requests share a row. */
const FLUSH_MS = 2_000;
/**
 * The most sums that wait. Beyond that, requests of new end users count without their user, and then errors
 * without a model.
 */
const MAX_WAITING = 2_000;

export type TallyParts = {
  store: Pick<UsageStore, 'addRequestSums'>;
  onFailure(error: unknown): void;
};

/**
 * Sums the requests that named an end user or ended with an error. No request waits for the tally, and an
 * overloaded process drops no sums.
 */
export class RequestTally {
  /** The number of sums that could not be written. */
  lost = 0;
  readonly #parts: TallyParts;
  #waiting = new Map<string, RequestSum>();
  readonly #writes = new DelayedWrite(() => this.#write(), FLUSH_MS);

  constructor(parts: TallyParts) {
    this.#parts = parts;
  }

  add(sum: RequestSum): void {
    if (this.#addTo(sum) || this.#addTo({ ...sum, user: '' })) return;
    this.#addTo({ ...sum, user: '', model: '', key: '' }, Infinity);
  }

  /** Writes the sums that wait. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  #addTo(sum: RequestSum, maxWaiting = MAX_WAITING): boolean {
    const name = `${sum.accountId} ${sum.hour} ${sum.key} ${sum.code} ${sum.model} ${sum.user}`;
    const total = this.#waiting.get(name);
    if (total) addFigures(total, sum);
    else if (this.#waiting.size < maxWaiting) this.#waiting.set(name, { ...sum });
    else return false;
    this.#writes.schedule();
    return true;
  }

  async #write(): Promise<void> {
    const sums = [...this.#waiting.values()];
    if (sums.length === 0) return;
    this.#waiting = new Map();
    try {
      await this.#parts.store.addRequestSums(sums, MAX_USERS_A_DAY);
    } catch (error) {
      this.lost += sums.length;
      this.#parts.onFailure(error);
    }
  }
}

function addFigures(total: RequestSum, sum: RequestSum): void {
  total.requests += sum.requests;
  total.errors += sum.errors;
  total.inputTokens += sum.inputTokens;
  total.cachedInputTokens += sum.cachedInputTokens;
  total.outputTokens += sum.outputTokens;
  total.microcredits += sum.microcredits;
}
