import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';

/** Expiry times are rounded up to a second, so that conversations that end together share a sum. */
const STEP_MS = 1_000;

/**
 * Returns when something expires that is stored like a response.
 * `until` is the second under which its bytes are counted.
 */
export function expiryOf({ snapshot }: Exchange, now: number): { expiresAt: number; until: number } {
  const expiresAt = now + msOf(snapshot.config.retention.responses_s);
  return { expiresAt, until: Math.ceil(expiresAt / STEP_MS) * STEP_MS };
}
