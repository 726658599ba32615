import { type CalendarMonth, calendarMonth } from './calendar-month.ts';

/** A key, and a time that selects the calendar month. */
export type KeyAt = { keyId: string; at: number };

/** The amount that a key has spent in a calendar month, and the amount held of its cap. */
export type KeyMonth = { used: number; held: number };

type Month = CalendarMonth & { keys: Map<string, KeyMonth> };

/**
 * The months of an account's keys. Each month is loaded on first use, before any pending write can change it.
 */
export class KeyMonths {
  readonly #load: (keyId: string, month: CalendarMonth) => number;
  /** The current month and, for a while, the month before. */
  #months: Month[] = [];

  constructor(load: (keyId: string, month: CalendarMonth) => number) {
    this.#load = load;
  }

  /** Returns the month of a key, which callers change in place. */
  monthOf({ keyId, at }: KeyAt): KeyMonth {
    const month = this.#calendarMonthOf(at);
    const sums = month.keys.get(keyId);
    if (sums) return sums;
    const loaded = { used: this.#load(keyId, month), held: 0 };
    month.keys.set(keyId, loaded);
    return loaded;
  }

  #calendarMonthOf(at: number): Month {
    for (const month of this.#months) if (at >= month.startsAt && at < month.endsAt) return month;
    const newMonth = { ...calendarMonth(at), keys: new Map() };
    if (this.#months.every(({ startsAt }) => startsAt < newMonth.startsAt)) this.#forgetUnheld();
    this.#months.push(newMonth);
    return newMonth;
  }

  /** Forgets what no request under way needs of earlier months. */
  #forgetUnheld(): void {
    this.#months = this.#months.filter(({ keys }) => {
      for (const [keyId, { held }] of keys) if (held === 0) keys.delete(keyId);
      return keys.size > 0;
    });
  }
}
