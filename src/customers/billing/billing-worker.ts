import { SingleFlight } from '../../base/lib/single-flight.ts';
import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { lookAtCheckout } from './apply-checkout.ts';
import { applySubscription } from './apply-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { EventInbox } from './event-inbox.ts';
import { lookAtReload } from './look-at-reload.ts';

const LOOK_EVERY_MS = 5_000;
const AT_A_TIME = 50;
const SWEEP_EVERY_MS = HOUR_MS;
/** Stripe repeats a message for at most 30 days. */
const KEPT_MS = 90 * DAY_MS;

/**
 * Looks after what waits in the store: messages, checkouts, graces and automatic purchases.
 * Several processes can run it.
 */
export class BillingWorker {
  readonly inbox: EventInbox;
  readonly #parts: BillingParts;
  #timer: Timer | undefined;
  readonly #looking = new SingleFlight();
  #sweptAt = 0;
  #stopJumps: (() => void) | undefined;

  constructor(parts: BillingParts) {
    this.#parts = parts;
    this.inbox = new EventInbox(parts);
  }

  start(): void {
    const look = () => void this.look();
    this.#timer = setInterval(look, LOOK_EVERY_MS);
    this.#timer.unref();
    this.#stopJumps = this.#parts.clock.onJump?.(look);
    look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopJumps?.();
    await this.#looking.ended();
  }

  /** Runs once at a time. */
  look(): Promise<void> {
    return this.#looking.run(() =>
      this.#look().catch((error: unknown) =>
        this.#parts.report('warn', 'billing-look-failed', { error: String(error) }),
      ),
    );
  }

  async #look(): Promise<void> {
    const { store, stripe, clock } = this.#parts;
    if (!stripe.isReady) return;
    const page = { now: clock.now(), limit: AT_A_TIME };
    for (const event of await store.dueBilling('event', page)) await this.inbox.retry(event);
    for (const { id } of await store.dueBilling('checkout', page))
      await this.#try(() => lookAtCheckout(this.#parts, id), id);
    for (const { id, body } of await store.dueBilling('customer', page)) {
      const { subscriptionId } = body;
      if (subscriptionId !== null) await this.#try(() => applySubscription(this.#parts, subscriptionId), id);
    }
    for (const record of await store.dueBilling('reload', page))
      await this.#try(() => lookAtReload(this.#parts, record), record.id);
    await this.#sweep(page.now);
  }

  async #try(work: () => Promise<unknown>, id: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.report('warn', 'billing-look-failed', { record: id, error: String(error) });
    }
  }

  async #sweep(now: number): Promise<void> {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    await this.#parts.store.sweepBilling('event', now - KEPT_MS);
    await this.#parts.store.sweepBilling('checkout', now - KEPT_MS);
  }
}
