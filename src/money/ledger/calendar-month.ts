/** A calendar month in UTC: its start and the start of the next month. */
export type CalendarMonth = { startsAt: number; endsAt: number };

/** Returns the month of a time. */
export function calendarMonth(time: number): CalendarMonth {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}
