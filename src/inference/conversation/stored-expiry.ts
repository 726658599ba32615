import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';

/** The expiry of stored data. The bytes of an account are summed by `until`. */
export type StoredExpiry = { expiresAt: number; until: number };

/** `until` is rounded up to this step, so that all data that expires in one second shares a sum. */
const STEP_MS = 1_000;

/** Returns the expiry of data that is kept as long as a response. */
export const storedExpiry = ({ snapshot }: Exchange, now: number): StoredExpiry =>
  expiryAfter({ now, lifetimeMs: msOf(snapshot.config.retention.responses_s) });

/** Returns the expiry of data that is kept for a time from now on. */
export function expiryAfter({ now, lifetimeMs }: { now: number; lifetimeMs: number }): StoredExpiry {
  const expiresAt = now + lifetimeMs;
  return { expiresAt, until: Math.ceil(expiresAt / STEP_MS) * STEP_MS };
}
