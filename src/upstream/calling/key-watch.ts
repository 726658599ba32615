import type { AttemptOutcome } from './provider-activity.ts';

/** One refusal may be about one model; so many in a row, and nothing that went well between them, are about the key. */
const REFUSALS_IN_A_ROW = 3;

/** Notices when a provider no longer takes our key, and when it does again. */
export class KeyWatch {
  #refusals = 0;
  #refusedSince: number | null = null;

  get refusedSince(): number | null {
    return this.#refusedSince;
  }

  /** True when the news is worth telling: once for each change, not once for each request. */
  take(outcome: AttemptOutcome, now: number): boolean {
    if (outcome === 'key-refused') {
      this.#refusals++;
      if (this.#refusals < REFUSALS_IN_A_ROW || this.#refusedSince !== null) return false;
      this.#refusedSince = now;
      return true;
    }
    if (outcome !== 'ok') return false; // who does not answer says nothing about the key
    this.#refusals = 0;
    const wasRefused = this.#refusedSince !== null;
    this.#refusedSince = null;
    return wasRefused;
  }
}
