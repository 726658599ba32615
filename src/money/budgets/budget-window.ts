import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import type { BudgetRule, BudgetWindow } from './budget.ts';

/** A sliding window moves by one of its bins, so an amount may count up to a 60th of the window longer. */
const BINS = 60;

/** The lengths of sliding windows. */
const spans: Readonly<Record<BudgetWindow, number>> = {
  hour: HOUR_MS,
  '5h': 5 * HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

type Frame = { startsAt: number; endsAt: number };

const alignedTo =
  (length: number) =>
  (at: number): Frame => {
    const startsAt = at - (at % length);
    return { startsAt, endsAt: startsAt + length };
  };

/** Returns a window from 00, 05, 10, 15 or 20 o'clock. The last one of a day has four hours. */
function fiveHours(at: number): Frame {
  const day = alignedTo(DAY_MS)(at);
  const startsAt = at - ((at - day.startsAt) % spans['5h']);
  return { startsAt, endsAt: Math.min(startsAt + spans['5h'], day.endsAt) };
}

/** Returns a window that begins on a Monday. 1970 began on a Thursday. */
function week(at: number): Frame {
  const { startsAt: today } = alignedTo(DAY_MS)(at);
  const startsAt = today - ((today / DAY_MS + 3) % 7) * DAY_MS;
  return { startsAt, endsAt: startsAt + spans.week };
}

function month(at: number): Frame {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  const index = date.getUTCMonth();
  return { startsAt: Date.UTC(year, index), endsAt: Date.UTC(year, index + 1) };
}

const frames: Readonly<Record<BudgetWindow, (at: number) => Frame>> = {
  hour: alignedTo(HOUR_MS),
  '5h': fiveHours,
  day: alignedTo(DAY_MS),
  week,
  month,
};

type WindowRule = Pick<BudgetRule, 'window' | 'kind'>;

const widthOf = (window: BudgetWindow): number => spans[window] / BINS;

/** Returns the start of the bin that an amount of this time is counted in. A calendar window is one bin. */
export const binOf = ({ window, kind }: WindowRule, at: number): number =>
  kind === 'calendar' ? frames[window](at).startsAt : at - (at % widthOf(window));

/** Returns the first bin that counts at a time. */
export const firstBin = (budget: WindowRule, at: number): number =>
  binOf(budget, at) - (budget.kind === 'calendar' ? 0 : spans[budget.window]);

/** Returns the time from which the amounts of a window of this time count: the start of the window. */
export const countedFrom = ({ window, kind }: WindowRule, at: number): number =>
  kind === 'calendar' ? frames[window](at).startsAt : at - spans[window];

/**
 * Returns the end of a calendar window, or the time at which the bin leaves a sliding one.
 * `bin` is undefined if nothing is counted.
 */
export function resetsAt({ window, kind }: WindowRule, at: number, bin: number | undefined): number | null {
  if (kind === 'calendar') return frames[window](at).endsAt;
  return bin === undefined ? null : bin + spans[window] + widthOf(window);
}

/** Returns a number that names the window of a time, for reports that are sent once in each window. */
export const windowName = ({ window, kind }: WindowRule, at: number): number =>
  kind === 'calendar' ? frames[window](at).startsAt : at - (at % spans[window]);

/** Returns the length of a sliding window. */
export const spanOf = (window: BudgetWindow): number => spans[window];
