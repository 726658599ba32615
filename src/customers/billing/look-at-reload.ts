import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { calendarMonth } from '../../money/ledger/calendar-month.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { microcreditsOfCredits } from '../../money/ledger/microcredits.ts';
import { monthOf } from '../../money/ledger/month-of.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord, ReloadAttempt } from './billing-record.ts';
import { changeRecord, type RecordChange, withChange } from './change-record.ts';
import { creditPayment } from './credit-payment.ts';
import { findCustomer } from './customers.ts';
import { CREDIT_CURRENCY, purchaseMark } from './purchase-mark.ts';
import { spentIn } from './reload-spending.ts';
import { savedMethod } from './saved-method.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeList, StripePayment } from './stripe/stripe-objects.ts';

/** The balance is looked at this often, even without requests. */
const LOOK_MS = 15_000;
/** An attempt is taken over after this time. Its process has ended, or its answer was lost. */
const ATTEMPT_MS = 90_000;
/** The pause after each failure in a row. After the last one, automatic purchases are turned off. */
const PAUSES_MS = [HOUR_MS, 4 * HOUR_MS, DAY_MS];
const STILL_OPEN = new Set(['processing', 'requires_capture']);

type Reload = BillingRecord<'reload'>;

/**
 * Buys credit when the balance is low. The attempt and its amount are saved before Stripe is called, and only
 * one writer can save them. The spent amount of the month therefore includes every payment that may exist.
 */
export async function lookAtReload(parts: BillingParts, record: Reload): Promise<void> {
  const { attempt } = record.body;
  if (attempt) return resume(parts, record, attempt);
  if (!record.body.isOn) return save(parts, record, { dueAt: null });
  const now = parts.clock.now();
  const { amountCents, ceilingCents } = record.body;
  const spentCents = spentIn(record.body, now);
  if (spentCents + amountCents > ceilingCents)
    return save(parts, record, { dueAt: calendarMonth(now).endsAt });
  if (!(await isLow(parts, record))) return save(parts, record, { dueAt: now + LOOK_MS });
  const begun: ReloadAttempt = { id: newId('reload_'), cents: amountCents, at: now };
  const reserved = withChange(record, {
    dueAt: now + ATTEMPT_MS,
    body: { attempt: begun, month: monthOf(now), spentCents: spentCents + amountCents },
  });
  if ((await parts.store.saveBilling(reserved)) === 'conflict') return;
  await pay(parts, record.id, begun);
}

/** Saves a change of the record. A conflict means that another process has looked, so it is ignored. */
async function save({ store }: BillingParts, record: Reload, change: RecordChange<'reload'>): Promise<void> {
  await store.saveBilling(withChange(record, change));
}

async function isLow(parts: BillingParts, { id, body: { thresholdCredits } }: Reload): Promise<boolean> {
  const account = await parts.accounts.find(id);
  if (account instanceof Refusal || account.status !== 'active') return false;
  const period = await currentPeriod(parts.ledger, account, parts.plans());
  const { purchasedMicrocredits } = await parts.ledger.balances(id, period);
  return purchasedMicrocredits <= microcreditsOfCredits(thresholdCredits);
}

/** Continues an attempt whose process has ended. It pays again only if there is no payment. */
async function resume(parts: BillingParts, record: Reload, attempt: ReloadAttempt): Promise<void> {
  const claimed = withChange(record, { dueAt: parts.clock.now() + ATTEMPT_MS });
  if ((await parts.store.saveBilling(claimed)) === 'conflict') return;
  try {
    const payment = await findPayment(parts, record.id, attempt);
    if (payment) await conclude(parts, record.id, { attempt, payment });
    else await pay(parts, record.id, attempt);
  } catch (error) {
    parts.report('warn', 'auto-reload-waits', { account_id: record.id, error: String(error) });
  }
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

async function pay(parts: BillingParts, accountId: string, attempt: ReloadAttempt): Promise<void> {
  try {
    const customer = await findCustomer(parts, accountId);
    const method = customer && (await savedMethod(parts.stripe, customer.reference));
    if (!customer || !method)
      return await giveUp(parts, accountId, { attempt, reason: 'There is no saved card.' });
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
      const payment = (error.payment ?? undefined) as StripePayment | undefined;
      return giveUp(parts, accountId, { attempt, reason: error.message, ...(payment && { payment }) });
    }
    // It is unknown whether a payment exists. The attempt stays, and is taken up later.
    parts.report('warn', 'auto-reload-waits', { account_id: accountId, error: String(error) });
  }
}

type Outcome = { attempt: ReloadAttempt; payment: StripePayment };

async function conclude(
  parts: BillingParts,
  accountId: string,
  { attempt, payment }: Outcome,
): Promise<void> {
  if (STILL_OPEN.has(payment.status)) return; // looked at again after `ATTEMPT_MS`
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

type Failure = { attempt: ReloadAttempt; reason: string; payment?: StripePayment };

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
