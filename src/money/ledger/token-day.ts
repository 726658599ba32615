import type { HoldOrder } from './hold.ts';

export const DAY_MS = 86_400_000;

/** Days since 1970, UTC. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);
/** When the day after begins. */
export const nextDayAt = (time: number): number => (dayOf(time) + 1) * DAY_MS;

/** The tokens that an account's plan has paid for on the last day that there were any. */
export type DayTokens = { day: number; tokens: number };

/** Counts tokens of plans that have so many a day. Of yesterday nothing is asked any more. */
export class TokenDay {
  readonly #load: () => DayTokens;
  #last: DayTokens | undefined;

  constructor(load: () => DayTokens) {
    this.#load = load;
  }

  /** On that day; a clock that goes back finds the last day as it was. */
  tokens(at: number): number {
    const { day, tokens } = this.#loaded();
    return day < dayOf(at) ? 0 : tokens;
  }

  add({ at, pays }: HoldOrder, tokens: number): void {
    if (pays === 'purchased') return;
    const last = this.#loaded();
    const day = dayOf(at);
    if (day > last.day) this.#last = { day, tokens };
    else if (day === last.day) last.tokens += tokens;
  }

  #loaded(): DayTokens {
    this.#last ??= this.#load();
    return this.#last;
  }
}
