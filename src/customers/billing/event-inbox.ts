import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { changeRecord, withChange } from './change-record.ts';
import { creditPayment } from './credit-payment.ts';
import { followCheckout } from './follow-checkout.ts';
import { followSubscription } from './follow-subscription.ts';
import { newRecord } from './new-record.ts';
import { readPayment } from './read-payment.ts';
import { reportProblem } from './report-problem.ts';
import { followCharge, followDispute, followRefund } from './reverse-payment.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';
import type { StripeInvoice } from './stripe/stripe-objects.ts';

/** No other process works on an event for this long. A call to Stripe takes at most 20 s. */
const CLAIM_MS = 60_000;
const RETRIES = { firstMs: 2_000, maxMs: HOUR_MS };
/** The attempts after which operators are notified. */
const REPORTED_AFTER = 8;

/**
 * A message of Stripe. Only its type and the id of its object are used: the
 * object itself is read from Stripe.
 */
export type StripeEvent = { id: string; type: string; objectId: string };

type Follow = (parts: BillingParts, objectId: string) => Promise<unknown>;

const followPayment: Follow = async (parts, id) => creditPayment(parts, await readPayment(parts, id));

async function followInvoice(parts: BillingParts, id: string): Promise<void> {
  const invoice = await parts.stripe.get<StripeInvoice>(`/v1/invoices/${encodeURIComponent(id)}`);
  if (invoice.subscription !== null) await followSubscription(parts, invoice.subscription);
}

/** The events that change something, by their prefix. */
const followers: readonly (readonly [prefix: string, follow: Follow])[] = [
  ['payment_intent.succeeded', followPayment],
  ['checkout.session.', followCheckout],
  ['customer.subscription.', followSubscription],
  ['invoice.paid', followInvoice],
  ['invoice.payment_failed', followInvoice],
  ['charge.refunded', followCharge],
  ['charge.refund.', followRefund],
  ['refund.', followRefund],
  ['charge.dispute.', followDispute],
];

const followerOf = (type: string): Follow | undefined =>
  followers.find(([prefix]) => type.startsWith(prefix))?.[1];

/** Keeps the messages of Stripe until they are processed. */
export class EventInbox {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the event is durable.
   * Its processing then runs by itself, here or at the next look of any process.
   */
  async receive({ id, type, objectId }: StripeEvent): Promise<{ isNew: boolean; processed: Promise<void> }> {
    const { store, clock } = this.#parts;
    const isKnown = followerOf(type) !== undefined;
    const now = clock.now();
    const record: BillingRecord<'event'> = newRecord({
      kind: 'event',
      id,
      accountId: null,
      createdAt: now,
      dueAt: isKnown ? now + CLAIM_MS : null,
      body: { type, objectId, attempts: 0, outcome: isKnown ? 'waiting' : 'ignored', error: null },
    });
    const isNew = await store.addBilling(record);
    return { isNew, processed: isNew && isKnown ? this.#process(record) : Promise.resolve() };
  }

  /** Processes an event whose time has come, unless another process does. */
  async retry(record: BillingRecord<'event'>): Promise<void> {
    const { store, clock } = this.#parts;
    const claimed = withChange(record, { dueAt: clock.now() + CLAIM_MS });
    if ((await store.saveBilling(claimed)) === 'saved') await this.#process(record);
  }

  async #process({ id, body: { type, objectId } }: BillingRecord<'event'>): Promise<void> {
    try {
      await followerOf(type)?.(this.#parts, objectId);
      await this.#end(id, 'done', null);
    } catch (error) {
      await this.#noteFailure(id, error).catch((problem: unknown) =>
        this.#parts.report('error', 'payment-event-not-stored', { event: id, error: String(problem) }),
      );
    }
  }

  async #end(id: string, outcome: 'done' | 'failed', error: string | null): Promise<void> {
    const { store } = this.#parts;
    await changeRecord({ store, kind: 'event', id }, () => ({ dueAt: null, body: { outcome, error } }));
  }

  async #noteFailure(id: string, error: unknown): Promise<void> {
    const { store, clock, report } = this.#parts;
    const message = messageOfError(error);
    report('warn', 'payment-event-failed', { event: id, error: message });
    if (error instanceof StripeFailure && error.status === 404) {
      reportProblem(this.#parts, { problem: 'not-processed', stripe_event: id });
      return this.#end(id, 'failed', message);
    }
    const saved = await changeRecord({ store, kind: 'event', id }, ({ body: { attempts } }) => ({
      dueAt: clock.now() + backoffMs(attempts, RETRIES),
      body: { attempts: attempts + 1, error: message },
    }));
    if (saved && saved.body.attempts >= REPORTED_AFTER)
      reportProblem(this.#parts, { problem: 'not-followed', stripe_event: id });
  }
}
