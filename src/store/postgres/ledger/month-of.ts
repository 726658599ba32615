/** Returns the calendar month in UTC, like `2026-01`. */
export const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
