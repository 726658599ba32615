import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/lib/units.ts';
import { applyCheckout } from './apply-checkout.ts';
import type { BillingParts } from './billing-parts.ts';
import { changeRecord } from './change-record.ts';

const WAITS = { firstMs: 2 * MINUTE_MS, maxMs: 6 * HOUR_MS };

/** Looks at a checkout for which no message has arrived. */
export async function lookAtCheckout(parts: BillingParts, id: string): Promise<void> {
  const { store, clock } = parts;
  const record = await changeRecord({ store, kind: 'checkout', id }, ({ body }) => ({
    dueAt: clock.now() + backoffMs(body.attempts, WAITS),
    body: { attempts: body.attempts + 1 },
  }));
  if (record) await applyCheckout(parts, id);
}
