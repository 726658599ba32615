import { DAY_MS } from '../../base/lib/units.ts';
import type { Alert, AlertDelivery } from './alert.ts';

/** A waiting delivery. `attempted` resolves when an attempt has ended and is stored. */
export type WaitingDelivery = {
  alert: Alert;
  delivery: AlertDelivery;
  attempted: PromiseWithResolvers<void>;
};

/** The longest delay of a retry. A longer pause shows that the clock was set back. */
export const MAX_RETRY_PAUSE_MS = 60_000;
/** The longest delay of a new alert. The bounds of its recipient can delay it. */
const MAX_FIRST_PAUSE_MS = DAY_MS;

/**
 * The deliveries of one webhook. One attempt runs at a time, and a webhook that fails gets none until
 * `resumesAt`.
 */
export class WebhookQueue {
  readonly #waiting: WaitingDelivery[] = [];
  /** The attempts that have failed in a row. */
  failures = 0;
  /** The time from which the webhook gets attempts again. */
  resumesAt = 0;
  /** True while an attempt runs. */
  isBusy = false;
  /** The timer of the next attempt. */
  timer: Timer | undefined;

  get length(): number {
    return this.#waiting.length;
  }

  /** Returns a copy of the list. The caller may remove deliveries while it iterates. */
  all(): WaitingDelivery[] {
    return [...this.#waiting];
  }

  add(waiting: WaitingDelivery): void {
    this.#waiting.push(waiting);
  }

  find(alertId: string): WaitingDelivery | undefined {
    return this.#waiting.find(({ alert }) => alert.id === alertId);
  }

  has(waiting: WaitingDelivery): boolean {
    return this.#waiting.includes(waiting);
  }

  remove(waiting: WaitingDelivery): void {
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  /** Returns a new alert that is due, or else the delivery that is due earliest. */
  first(now: number): WaitingDelivery | undefined {
    let first: WaitingDelivery | undefined;
    for (const waiting of this.#waiting) {
      const { attempts, nextAt } = waiting.delivery;
      if (attempts === 0 && nextAt <= now) return waiting;
      if (!first || nextAt < first.delivery.nextAt) first = waiting;
    }
    return first;
  }

  /** Returns the time until a delivery may be attempted. It is 0 or less if that is now. */
  pauseMs({ delivery: { nextAt, attempts } }: WaitingDelivery, now: number): number {
    const pauseMs = Math.max(nextAt, this.resumesAt) - now;
    const maxMs = attempts === 0 ? MAX_FIRST_PAUSE_MS : MAX_RETRY_PAUSE_MS;
    return pauseMs > maxMs ? 0 : pauseMs;
  }
}
