export const isoTime = (time: number): string => new Date(time).toISOString();

export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** A date, or a date and a time. Without an offset the time is in UTC. */
export const ISO_TIME = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$';

const OFFSET = /(?<=T.*)(Z|[+-]\d\d:\d\d)$/;

/** Parses an ISO time. Returns undefined if the date or time does not exist, or lies before 1970. */
export function parseIsoTime(text: string): number | undefined {
  const written = text.replace(OFFSET, '');
  const offset = OFFSET.exec(text)?.[0] ?? 'Z';
  const time = Date.parse(written.includes('T') ? written + offset : written);
  return time >= 0 && isOnTheClock(written) ? time : undefined;
}

/** Rejects what `Date` would normalize: it reads 30 February as 2 March, and 24:00 as the next day. */
function isOnTheClock(written: string): boolean {
  const time = Date.parse(written.includes('T') ? `${written}Z` : written);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written.slice(0, 16));
}
