import type { HeaderReader } from '../../base/lib/header-reader.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { hostTime } from './host-time.ts';

/** The longest pause that an upstream's answer can set. A longer wait is cut to this value. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

/** Returns the pause that an answer's headers ask for, at most an hour. */
export function retryAfter(headers: HeaderReader): { retryAfterMs?: number } {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (exact > 0) return { retryAfterMs: Math.min(exact, MAX_RETRY_AFTER_MS) };
  const text = headers.get('retry-after');
  if (text === null) return {};
  // A date is based on the host's clock, which may be minutes off.
  const waitMs = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(text) - (hostTime(headers) ?? Date.now());
  return waitMs > 0 ? { retryAfterMs: Math.min(waitMs, MAX_RETRY_AFTER_MS) } : {};
}
