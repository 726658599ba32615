import { DAY_MS } from '../../base/lib/units.ts';
import type { HoldOrder } from './hold.ts';

/** Returns the day as a number of days since 1970, UTC. */
export const dayOf = (time: number): number => Math.floor(time / DAY_MS);
/** Returns the start of the next day. */
export const nextDayAt = (time: number): number => (dayOf(time) + 1) * DAY_MS;

/** The tokens that an account's plan has paid for on the last day with usage. */
export type DayTokens = { day: number; tokens: number };

/** Counts tokens for plans with a daily limit. Only the latest day is kept. */
export class TokenDay {
  readonly #load: () => DayTokens;
  #last: DayTokens | undefined;

  constructor(load: () => DayTokens) {
    this.#load = load;
  }

  /** Returns the tokens of the day. If the clock goes back, the count of the latest day is returned. */
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
