import type { Misbehaviour } from './misbehaviour.ts';

/** The maximum number of model names. The least recently used one is evicted. */
const MAX_MODELS = 1_000;

/** Counts the requests for each model name, for settings that affect only some requests. */
export class CallCounts {
  #counts = new Map<string, number>();

  /** Counts a request for `name` and returns the faults that apply to it. */
  countRequest(name: string, misbehaviour: Misbehaviour): Misbehaviour {
    const { failTimes, every } = misbehaviour;
    if (failTimes === undefined && every === undefined) return misbehaviour;
    const count = this.#next(name);
    const faults = count / (every ?? 1);
    const isFaulty = Number.isInteger(faults) && faults <= (failTimes ?? Infinity);
    return isFaulty ? misbehaviour : {};
  }

  #next(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.delete(name);
    this.#counts.set(name, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_MODELS && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
