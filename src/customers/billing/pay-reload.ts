import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';
import type { BillingParts } from './billing-parts.ts';
import type { ReloadAttempt } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import { creditPayment } from './credit-payment.ts';
import { findCustomer } from './customers.ts';
import { CREDIT_CURRENCY, purchaseMark } from './purchase-mark.ts';
import { savedMethod } from './saved-method.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeList, StripePayment } from './stripe/stripe-objects.ts';

/** The pause after each failure in a row. After the last one, automatic purchases are turned off. */
const PAUSES_MS = [HOUR_MS, 4 * HOUR_MS, DAY_MS];
const STILL_OPEN = new Set(['processing', 'requires_capture']);

/** Continues an attempt of another process. It pays only if there is no payment yet. */
export async function continueReload(
  parts: BillingParts,
  accountId: string,
  attempt: ReloadAttempt,
): Promise<void> {
  const payment = await findPayment(parts, accountId, attempt);
  if (payment) await conclude(parts, accountId, { attempt, payment });
  else await payReload(parts, accountId, attempt);
}

/** Stripe forgets an idempotency key after a day, so payments are looked up by their mark. */
async function findPayment(
  parts: BillingParts,
  accountId: string,
  { id, at }: ReloadAttempt,
): Promise<StripePayment | undefined> {
  const customer = await findCustomer(parts, accountId);
  if (!customer) return undefined;
  const created = { gte: Math.floor(at / 1_000) - 86_400 };
  let after: string | undefined;
  for (;;) {
    const page = await parts.stripe.get<StripeList<StripePayment>>('/v1/payment_intents', {
      customer: customer.reference,
      created,
      limit: 100,
      starting_after: after,
    });
    const payment = page.data.find(({ metadata }) => metadata['reload'] === id);
    after = page.data.at(-1)?.id;
    if (payment || !page.has_more || after === undefined) return payment;
  }
}

/** Pays an attempt with the saved card. */
export async function payReload(
  parts: BillingParts,
  accountId: string,
  attempt: ReloadAttempt,
): Promise<void> {
  try {
    const customer = await findCustomer(parts, accountId);
    const method = customer && (await savedMethod(parts.stripe, customer.reference));
    if (!customer || !method)
      return await giveUp(parts, accountId, { attempt, reason: 'There is no saved card.', payment: null });
    const payment = await parts.stripe.post<StripePayment>('/v1/payment_intents', {
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
    await conclude(parts, accountId, { attempt, payment });
  } catch (error) {
    if (error instanceof StripeFailure && error.isFinal) {
      const { message: reason, payment } = error;
      return giveUp(parts, accountId, { attempt, reason, payment });
    }
    // It is unknown whether a payment exists. The attempt stays, and is taken up later.
    parts.report('warn', 'auto-reload-waits', { account_id: accountId, error: String(error) });
  }
}

type Outcome = { attempt: ReloadAttempt; payment: StripePayment };

/** Ends a paid attempt. An open payment is left for a later look. */
async function conclude(
  parts: BillingParts,
  accountId: string,
  { attempt, payment }: Outcome,
): Promise<void> {
  if (STILL_OPEN.has(payment.status)) return; // a later look continues it
  if (payment.status !== 'succeeded')
    return giveUp(parts, accountId, { attempt, reason: 'The bank asks for a confirmation.', payment });
  await creditPayment(parts, payment);
  const { store, clock } = parts;
  await changeRecord({ store, kind: 'reload', id: accountId }, ({ body }) =>
    body.attempt?.id === attempt.id
      ? { dueAt: clock.now(), body: { attempt: null, failures: 0, error: null } }
      : undefined,
  );
}

type Failure = { attempt: ReloadAttempt; reason: string; payment: StripePayment | null };

/**
 * Ends a failed attempt, and releases its amount.
 * An unfinished payment is canceled first, so that it cannot succeed later.
 */
async function giveUp(parts: BillingParts, accountId: string, failure: Failure): Promise<void> {
  const { attempt, reason, payment } = failure;
  const { store, clock } = parts;
  if (payment && payment.status !== 'canceled')
    await parts.stripe.post(`/v1/payment_intents/${payment.id}/cancel`, { key: `cancel ${attempt.id}` });
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
  if (!saved) return;
  const next = saved.body.isOn ? 'The purchase is tried again later.' : 'Automatic purchases are now off.';
  parts.alerts.raise({ name: `auto_reload_failed ${attempt.id}`, until: null }, () => ({
    event: 'auto_reload_failed',
    message: `An automatic purchase of credit for account ${accountId} has failed. ${reason} ${next}`,
    data: { account_id: accountId, usd: usdOfCents(attempt.cents), reason, is_on: saved.body.isOn },
    organization: accountId,
  }));
}
