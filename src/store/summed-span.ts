import { DAY_MS, HOUR_MS } from '../base/lib/units.ts';
import type { UsageQuestion } from '../money/ledger/ledger-store.ts';

export const HOURS_OF_DAY = DAY_MS / HOUR_MS;

/** The hours and days of a span, counted since 1970. All ends are exclusive. */
export type SummedSpan = {
  hours: { from: number; to: number };
  days: { from: number; to: number };
  /** The end of the hours before the whole days. */
  firstEnds: number;
  /** The beginning of the hours after the whole days. */
  lastStarts: number;
};

/**
 * Returns the sums that are read for a span: those of its whole days, and of the hours before and after them.
 * A span within one day has only the first hours.
 */
export function summedSpan({ from, to }: Pick<UsageQuestion, 'from' | 'to'>): SummedSpan {
  const hours = { from: Math.ceil(from / HOUR_MS), to: Math.ceil(to / HOUR_MS) };
  const fromDay = Math.ceil(hours.from / HOURS_OF_DAY);
  const days = { from: fromDay, to: Math.max(fromDay, Math.floor(hours.to / HOURS_OF_DAY)) };
  const firstEnds = Math.min(hours.to, days.from * HOURS_OF_DAY);
  return { hours, days, firstEnds, lastStarts: Math.max(days.to * HOURS_OF_DAY, firstEnds) };
}
