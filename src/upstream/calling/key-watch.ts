import type { AttemptOutcome } from './attempt-outcome.ts';

/** The refusals in a row that mean a refused key. A single refusal may concern one model. */
const REFUSALS_IN_A_ROW = 3;

/** The time between two reports of a provider that refuses some calls and takes others. */
const BETWEEN_REPORTS_MS = 60_000;

/** Notices when a provider starts to refuse the operator's key, and when it accepts the key again. */
export class KeyWatch {
  #refusals = 0;
  #toldAt = Number.NEGATIVE_INFINITY;
  #refusedSince: number | null = null;

  get refusedSince(): number | null {
    return this.#refusedSince;
  }

  /** Returns true for the first refusal in a row, unless one was reported a moment ago. Call it before `take`. */
  isNews(outcome: AttemptOutcome, now: number): boolean {
    if (outcome !== 'key-refused' || this.#refusals > 0 || now - this.#toldAt < BETWEEN_REPORTS_MS)
      return false;
    this.#toldAt = now;
    return true;
  }

  /** Returns true for each change of state, and not for each request. */
  take(outcome: AttemptOutcome, now: number): boolean {
    if (outcome === 'key-refused') {
      this.#refusals++;
      if (this.#refusals < REFUSALS_IN_A_ROW || this.#refusedSince !== null) return false;
      this.#refusedSince = now;
      return true;
    }
    if (outcome !== 'ok') return false; // a provider that does not answer says nothing about the key
    this.#refusals = 0;
    const wasRefused = this.#refusedSince !== null;
    this.#refusedSince = null;
    return wasRefused;
  }
}
