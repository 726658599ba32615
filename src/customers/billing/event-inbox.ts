import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import { applierOf } from './applier-of.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { changeRecord, withChange } from './change-record.ts';
import { newRecord } from './new-record.ts';
import { reportProblem } from './report-problem.ts';
import { StripeFailure } from './stripe/stripe-failure.ts';

/** No other process works on an event for this long. A call to Stripe takes at most 20 s. */
const CLAIM_MS = 60_000;
const RETRIES = { firstMs: 2_000, maxMs: HOUR_MS };
/** The attempts after which operators are notified. Further attempts raise no other alert. */
const REPORTED_AFTER = 8;

/**
 * A message of Stripe. Only its type and the id of its object are used: the object itself is read from
 * Stripe.
 */
export type StripeEvent = { id: string; type: string; objectId: string };

/** Keeps the messages of Stripe until they are processed. */
export class EventInbox {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the event is durable. Its processing then runs by itself, here or at the next look of any
   * process.
   */
  async receive({ id, type, objectId }: StripeEvent): Promise<{ isNew: boolean; processed: Promise<void> }> {
    const { store, clock } = this.#parts;
    const changesAnything = applierOf(type) !== undefined;
    const now = clock.now();
    const record: BillingRecord<'event'> = newRecord({
      kind: 'event',
      id,
      accountId: null,
      createdAt: now,
      dueAt: changesAnything ? now + CLAIM_MS : null,
      body: { type, objectId, attempts: 0, outcome: changesAnything ? 'waiting' : 'ignored', error: null },
    });
    const isNew = await store.addBilling(record);
    const isDue = changesAnything && (isNew || (await this.#reopen(record)));
    return { isNew, processed: isDue ? this.#process(record) : Promise.resolve() };
  }

  /** Opens a failed event again. Stripe sends such an event only if an operator asks for it. */
  async #reopen({ id, dueAt, body }: BillingRecord<'event'>): Promise<boolean> {
    const { store } = this.#parts;
    const reopened = await changeRecord({ store, kind: 'event', id }, (known) =>
      known.body.outcome === 'failed' ? { dueAt, body } : undefined,
    );
    return reopened !== undefined;
  }

  /** Processes an event whose time has come, unless another process does. */
  async retry(record: BillingRecord<'event'>): Promise<void> {
    const { store, clock } = this.#parts;
    const claimed = withChange(record, { dueAt: clock.now() + CLAIM_MS });
    if ((await store.saveBilling(claimed)) === 'saved') await this.#process(record);
  }

  async #process({ id, body: { type, objectId } }: BillingRecord<'event'>): Promise<void> {
    try {
      await applierOf(type)?.(this.#parts, objectId);
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
