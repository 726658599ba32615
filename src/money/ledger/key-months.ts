import { type CalendarMonth, calendarMonth } from './calendar-month.ts';

/** A key in the calendar month of a time. */
export type KeyAt = { keyId: string; at: number };

/** What a key has spent in a calendar month, and what is held of its cap. */
export type KeyMonth = { used: number; held: number };

type Month = CalendarMonth & { keys: Map<string, KeyMonth> };

/** The months of an account's keys, each loaded when it is first asked for: before anything that is on its way to the store adds to it. */
export class KeyMonths {
  readonly #load: (keyId: string, month: CalendarMonth) => number;
  /** One, and for a while the one before. */
  #months: Month[] = [];

  constructor(load: (keyId: string, month: CalendarMonth) => number) {
    this.#load = load;
  }

  of({ keyId, at }: KeyAt): KeyMonth {
    const month = this.#monthOf(at);
    const known = month.keys.get(keyId);
    if (known) return known;
    const loaded = { used: this.#load(keyId, month), held: 0 };
    month.keys.set(keyId, loaded);
    return loaded;
  }

  #monthOf(at: number): Month {
    for (const month of this.#months) if (at >= month.startsAt && at < month.endsAt) return month;
    const begun = { ...calendarMonth(at), keys: new Map() };
    if (this.#months.every(({ startsAt }) => startsAt < begun.startsAt)) this.#forgetUnheld();
    this.#months.push(begun);
    return begun;
  }

  /** Earlier months are asked for by requests that are under way, and by nobody else. */
  #forgetUnheld(): void {
    this.#months = this.#months.filter(({ keys }) => {
      for (const [keyId, { held }] of keys) if (held === 0) keys.delete(keyId);
      return keys.size > 0;
    });
  }
}
