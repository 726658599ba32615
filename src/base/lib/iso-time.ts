/** Formats a time as ISO 8601 in UTC. */
export const isoTime = (time: number): string => new Date(time).toISOString();

export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** Days that exist, from 1970 to 9999. 29 February has the leap years alone. */
const DAYS = [
  '(19[7-9]\\d|[2-9]\\d{3})-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])',
  '(19[7-9]\\d|[2-9]\\d{3})-((0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)',
  '(19(7[26]|8[048]|9[26])|[2-9]\\d(0[48]|[2468][048]|[13579][26])|([2468][048]|[3579][26])00)-02-29',
].join('|');
const MINUTE = '([01]\\d|2[0-3]):[0-5]\\d';

/** A date, or a date and a time. Without an offset the time is in UTC. */
export const ISO_TIME = `^(${DAYS})(T${MINUTE}(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]${MINUTE})?)?$`;

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

/** Parses a time that was checked, if there is one. */
export const timeIfGiven = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseIsoTime(text);

/** Parses an ISO time of a query, where an unescaped plus sign arrives as a space. */
export function parseTimeParameter(text: string): number | undefined {
  const written = text.replace(/ (?=\d\d:\d\d$)/, '+');
  return new RegExp(ISO_TIME).test(written) ? parseIsoTime(written) : undefined;
}
