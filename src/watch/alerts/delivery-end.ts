import { DAY_MS } from '../../base/lib/units.ts';
import { gatewayBounds } from './alert-bounds.ts';
import type { SentAlert } from './send-alert.ts';

/** The end of a delivery. `error` is the reason for an end without success, as a sentence. */
export type DeliveryEnd = { state: 'delivered' | 'dropped'; error: string | null };

/** A delivery is given up when its alert is this old. */
const MAX_AGE_MS = DAY_MS;
/** The status that asks a sender to stop. */
const GONE = 410;

/** The end of a delivery to a webhook that the configuration no longer has. */
export const webhookRemoved: DeliveryEnd = {
  state: 'dropped',
  error: 'The webhook is no longer in the configuration.',
};

/** The end of a delivery that the store has removed to keep its bounds. */
export const removedByBounds: DeliveryEnd = { state: 'dropped', error: gatewayBounds.error };

/** Returns the end of a delivery after an attempt, or undefined if it is tried again. */
export function endAfterAttempt({ ok, status, error }: SentAlert, ageMs: number): DeliveryEnd | undefined {
  if (ok) return { state: 'delivered', error: null };
  if (status === GONE) return { state: 'dropped', error };
  if (ageMs < MAX_AGE_MS) return undefined;
  return { state: 'dropped', error: `The alert was not accepted within 24 hours. ${error}` };
}
