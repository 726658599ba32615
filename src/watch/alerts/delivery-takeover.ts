import { SingleFlight } from '../../base/lib/single-flight.ts';
import type { AlertCourier } from './alert-courier.ts';
import type { AlertStore } from './alert-store.ts';

/** The time between two renewals. A process holds its deliveries for longer. */
const EVERY_MS = 10_000;

export type TakeoverParts = {
  store: Pick<AlertStore, 'waitingAlertDeliveries'>;
  courier: Pick<AlertCourier, 'take'>;
  onFailure(error: unknown): void;
};

/** Takes up the deliveries of processes that have ended, and renews the deliveries of this process. */
export class DeliveryTakeover {
  readonly #parts: TakeoverParts;
  #timer: Timer | undefined;
  readonly #taking = new SingleFlight();

  constructor(parts: TakeoverParts) {
    this.#parts = parts;
  }

  /** Takes up what no other process holds. */
  async take(): Promise<void> {
    for (const { alert, delivery } of await this.#parts.store.waitingAlertDeliveries())
      void this.#parts.courier.take(alert, delivery);
  }

  /** Repeats `take()` until `close()`. Call it if other processes share the store. */
  repeat(): void {
    this.#timer = setInterval(() => {
      void this.#taking.run(() => this.take().catch(this.#parts.onFailure));
    }, EVERY_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#taking.ended();
  }
}
