import { Refusal } from '../../base/errors/refusal.ts';
import { parseIsoTime } from '../../base/lib/iso-time.ts';

/** Parses a time in a body. It refuses a time before 1970, which an offset can make and no schema detects. */
export function timeOfField(text: string, param: string): number {
  const time = parseIsoTime(text);
  if (time !== undefined) return time;
  throw new Refusal('invalid_request', { message: `${param} must be a valid time.`, param });
}
