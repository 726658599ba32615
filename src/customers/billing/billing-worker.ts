import { SingleFlight } from '../../base/lib/single-flight.ts';
import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingKind, BillingRecord } from './billing-record.ts';
import { EventInbox } from './event-inbox.ts';
import { lookAtCheckout } from './look-at-checkout.ts';
import { lookAtGrace } from './look-at-grace.ts';
import { lookAtReload } from './look-at-reload.ts';

const LOOK_EVERY_MS = 5_000;
const AT_A_TIME = 50;
/** The most pages of one kind in one look. The next look takes the rest. */
const MAX_PAGES = 20;
const SWEEP_EVERY_MS = HOUR_MS;
/** Stripe repeats a message for at most 30 days. */
const KEPT_MS = 90 * DAY_MS;

/**
 * Looks after what waits in the store: messages, checkouts, graces and automatic purchases. Several processes
 * can run it.
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
    const { stripe, clock } = this.#parts;
    if (!stripe.isReady) return;
    const now = clock.now();
    await this.#each('event', now, (event) => this.inbox.retry(event));
    await this.#each('checkout', now, ({ id }) => lookAtCheckout(this.#parts, id));
    await this.#each('customer', now, ({ id }) => lookAtGrace(this.#parts, id));
    await this.#each('reload', now, (record) => lookAtReload(this.#parts, record));
    await this.#sweep(now);
  }

  /** Works on the records of a kind whose time has come. Each work moves the time of its record first. */
  async #each<Kind extends BillingKind>(
    kind: Kind,
    now: number,
    work: (record: BillingRecord<Kind>) => Promise<unknown>,
  ): Promise<void> {
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const records = await this.#parts.store.dueBilling(kind, { now, limit: AT_A_TIME });
      for (const record of records) await this.#try(() => work(record), record.id);
      if (records.length < AT_A_TIME) return;
    }
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
