import { isoTime } from '../../base/lib/iso-time.ts';

/** Returns the calendar month in UTC, like `2026-01`. */
export const monthOf = (time: number): string => isoTime(time).slice(0, 'YYYY-MM'.length);
