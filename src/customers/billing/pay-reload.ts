import type { BillingParts } from './billing-parts.ts';
import type { StartedReload } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import { creditPayment } from './credit-payment.ts';
import { findCustomer } from './customers.ts';
import { failReload, type ReloadFailure } from './fail-reload.ts';
import { findReloadPayment } from './find-reload-payment.ts';
import { CREDIT_CURRENCY, purchaseMark } from './purchase-mark.ts';
import { savedMethod } from './saved-method.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripePayment } from './stripe/stripe-objects.ts';

/** The states in which a payment can still succeed without the payer. */
const STILL_OPEN = new Set(['processing', 'requires_capture']);

/** Continues a reload of another process. It pays only if there is no payment yet. */
export async function continueReload(parts: BillingParts, reload: StartedReload): Promise<void> {
  const payment = await findReloadPayment(parts, reload);
  if (payment) await concludeReload(parts, reload, payment);
  else await payReload(parts, reload);
}

/**
 * Pays a reload with the saved card. The reload stays under way if the state of its payment is unknown, and a
 * later look finds the payment.
 */
export async function payReload(parts: BillingParts, reload: StartedReload): Promise<void> {
  try {
    const outcome = await orderPayment(parts, reload);
    if ('reason' in outcome) await failReload(parts, reload, outcome);
    else await concludeReload(parts, reload, outcome);
  } catch (error) {
    parts.report('warn', 'auto-reload-waits', { account_id: reload.accountId, error: String(error) });
  }
}

/** Orders the payment. Throws if it is unknown whether a payment exists. */
async function orderPayment(
  parts: BillingParts,
  { accountId, attempt }: StartedReload,
): Promise<StripePayment | ReloadFailure> {
  try {
    const customer = await findCustomer(parts, accountId);
    const method = customer && (await savedMethod(parts.stripe, customer.reference));
    if (!customer || !method) return { reason: 'There is no saved card.', payment: null };
    return await parts.stripe.post<StripePayment>('/v1/payment_intents', {
      fields: {
        amount: attempt.cents,
        currency: CREDIT_CURRENCY,
        customer: customer.reference,
        payment_method: method.id,
        off_session: true,
        confirm: true,
        description: 'Credit, bought automatically',
        metadata: { ...purchaseMark(accountId, attempt.cents), reload: attempt.id },
      },
      key: attempt.id,
    });
  } catch (error) {
    if (!(error instanceof StripeFailure && error.isFinal)) throw error;
    return { reason: error.message, payment: error.payment };
  }
}

/** Ends a reload whose payment has ended. An open payment is left for a later look. */
async function concludeReload(
  parts: BillingParts,
  reload: StartedReload,
  payment: StripePayment,
): Promise<void> {
  if (STILL_OPEN.has(payment.status)) return;
  if (payment.status !== 'succeeded')
    return failReload(parts, reload, { reason: 'The bank asks for a confirmation.', payment });
  await creditPayment(parts, payment);
  const { store, clock } = parts;
  const { accountId, attempt } = reload;
  await changeRecord({ store, kind: 'reload', id: accountId }, ({ body }) =>
    body.attempt?.id === attempt.id
      ? { dueAt: clock.now(), body: { attempt: null, failures: 0, error: null } }
      : undefined,
  );
}
