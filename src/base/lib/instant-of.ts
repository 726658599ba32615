/**
 * Returns the instant of a date, which is its midnight in UTC, or of a time with a zone. The result is NaN if
 * there is no such date.
 */
export function instantOf(text: string): number {
  const instant = Date.parse(text);
  const [day = ''] = text.split('T');
  // A day that the month lacks would become one of the next month.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day) ? instant : Number.NaN;
}
