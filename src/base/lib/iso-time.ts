export const isoTime = (time: number): string => new Date(time).toISOString();

export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** A date, or a date and a time, with an offset or without one; then it is UTC. */
export const ISO_TIME = '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$';

const OFFSET = /(?<=T.*)(Z|[+-]\d\d:\d\d)$/;

/** Undefined when there is no such day or time, or when it lies before 1970. */
export function parseIsoTime(text: string): number | undefined {
  const written = text.replace(OFFSET, '');
  const offset = OFFSET.exec(text)?.[0] ?? 'Z';
  const time = Date.parse(written.includes('T') ? written + offset : written);
  return time >= 0 && isOnTheClock(written) ? time : undefined;
}

/** `Date` takes 30 February for 2 March, and 24:00 for the next day. */
function isOnTheClock(written: string): boolean {
  const time = Date.parse(written.includes('T') ? `${written}Z` : written);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(written.slice(0, 16));
}
