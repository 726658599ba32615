import type { Misbehaviour } from './misbehaviour.ts';

/** Far more models than a test names; the oldest is forgotten. */
const MOST_MODELS = 1_000;

/** How often each model name was asked for, for the settings that act on some requests only. */
export class CallCounts {
  #counts = new Map<string, number>();

  /** What this request, the next under `name`, is to suffer. */
  apply(name: string, misbehaviour: Misbehaviour): Misbehaviour {
    const { failTimes, every } = misbehaviour;
    if (failTimes === undefined && every === undefined) return misbehaviour;
    const count = this.#next(name);
    const active = count <= (failTimes ?? Infinity) && count % (every ?? 1) === 0;
    return active ? misbehaviour : {};
  }

  #next(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.delete(name);
    this.#counts.set(name, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST_MODELS && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
