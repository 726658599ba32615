import { Counter } from './counter.ts';
import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

/** The metrics of alerts and of their deliveries to webhooks. */
export class AlertMetrics {
  readonly #alerts = new Counter({
    name: 'tollgate_alerts_total',
    help: 'Alerts by event.',
    labels: ['event'],
  });
  readonly #deliveries = new Counter({
    name: 'tollgate_alert_deliveries_total',
    help: 'Deliveries of alerts to webhooks. failed: an attempt failed and is repeated. dropped: the delivery was given up.',
    labels: ['outcome'],
  });
  readonly all: readonly Metric[];

  constructor(waiting: () => number) {
    this.all = [
      this.#alerts,
      this.#deliveries,
      single(
        { name: 'tollgate_alert_deliveries_waiting', help: 'Deliveries of alerts that are not complete.' },
        waiting,
      ),
    ];
  }

  countAlert(event: string): void {
    this.#alerts.add([event]);
  }

  countDelivery(outcome: 'delivered' | 'failed' | 'dropped'): void {
    this.#deliveries.add([outcome]);
  }
}
