const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * Returns the start of a month such as `2026-10` in UTC.
 * Returns undefined for other texts, or if the month before it is not over.
 */
export function closedBefore(month: string, now: number): number | undefined {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined) return undefined;
  const start = Date.UTC(Number(year), Number(number) - 1);
  return start <= now ? start : undefined;
}
