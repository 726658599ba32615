/**
 * Returns the instant of a date, which is its midnight in UTC, or of a time with a zone or an offset. The
 * result is NaN if there is no such date.
 */
export function instantOf(text: string): number {
  const [day = ''] = text.split('T');
  const midnight = Date.parse(day);
  // `Date.parse` reads a day that the month lacks as one of the next month.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
  return isDay ? Date.parse(text) : Number.NaN;
}
