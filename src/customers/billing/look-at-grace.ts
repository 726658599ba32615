import { MINUTE_MS } from '../../base/lib/units.ts';
import { applySubscription } from './apply-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { changeRecord } from './change-record.ts';

/** The pause before another look, if this one fails or changes nothing. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;

/** Looks at a subscription whose grace has ended. */
export async function lookAtGrace(parts: BillingParts, accountId: string): Promise<void> {
  const { store, clock } = parts;
  const record = await changeRecord({ store, kind: 'customer', id: accountId }, ({ body }) => ({
    dueAt: body.subscriptionId === null ? null : clock.now() + LOOK_AGAIN_MS,
  }));
  const subscriptionId = record?.body.subscriptionId ?? null;
  if (subscriptionId !== null) await applySubscription(parts, subscriptionId);
}
