import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';
import type { BillingParts } from './billing-parts.ts';
import type { StartedReload } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

/** The pause after each failure in a row. After the last one, reloads are turned off. */
const PAUSES_MS = [HOUR_MS, 4 * HOUR_MS, DAY_MS];

/** The reason of a failed reload, as a sentence for the account's owners, and its payment if there is one. */
export type ReloadFailure = { reason: string; payment: StripePayment | null };

/**
 * Ends a failed reload, and releases its amount. An unfinished payment is canceled first, so that it cannot
 * succeed later.
 */
export async function failReload(
  parts: BillingParts,
  { accountId, attempt }: StartedReload,
  { reason, payment }: ReloadFailure,
): Promise<void> {
  const { store, stripe, clock } = parts;
  // Without a key, since Stripe would repeat a refusal for a day, even after the payment has changed.
  if (payment && payment.status !== 'canceled') await stripe.post(`/v1/payment_intents/${payment.id}/cancel`);
  const saved = await changeRecord({ store, kind: 'reload', id: accountId }, ({ body }) => {
    if (body.attempt?.id !== attempt.id) return undefined;
    const pauseMs = PAUSES_MS[body.failures];
    return {
      dueAt: pauseMs === undefined ? null : clock.now() + pauseMs,
      body: {
        attempt: null,
        spentCents: Math.max(0, body.spentCents - attempt.cents),
        failures: body.failures + 1,
        error: reason,
        isOn: body.isOn && pauseMs !== undefined,
      },
    };
  });
  if (saved) raiseFailure(parts, { accountId, attempt }, { reason, isOn: saved.body.isOn });
}

function raiseFailure(
  { alerts }: BillingParts,
  { accountId, attempt }: StartedReload,
  { reason, isOn }: { reason: string; isOn: boolean },
): void {
  const next = isOn ? 'The purchase is tried again later.' : 'Automatic purchases are now off.';
  alerts.raise({ name: `auto_reload_failed ${attempt.id}`, until: null }, () => ({
    event: 'auto_reload_failed',
    message: `An automatic purchase of credit for account ${accountId} has failed. ${reason} ${next}`,
    data: { account_id: accountId, usd: usdOfCents(attempt.cents), reason, is_on: isOn },
    organization: accountId,
  }));
}
