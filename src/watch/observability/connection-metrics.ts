import { Counter } from './counter.ts';
import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

type Report = (event: string, fields: Record<string, unknown>) => void;

/** The interval between two log lines about networks with too many connections. */
const REPORT_AGAIN_MS = 60_000;

/** The metrics of client connections: how many are open, and how many the gateway closed. */
export class ConnectionMetrics {
  readonly metrics: readonly Metric[];
  readonly #report: Report;
  readonly #now: () => number;
  readonly #closed = new Counter({
    name: 'tollgate_connections_closed_total',
    help: 'Client connections that the gateway closed, by reason.',
    labels: ['reason'],
  });
  #open: () => number | undefined = () => undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #unreported = 0;

  constructor(report: Report, now = () => performance.now()) {
    this.#report = report;
    this.#now = now;
    const open = single({ name: 'tollgate_connections', help: 'Open client connections.' }, () =>
      this.#open(),
    );
    this.metrics = [this.#closed, open];
  }

  /** Sets the source of the number of open connections. */
  showConnections(open: () => number | undefined): void {
    this.#open = open;
  }

  closed(reason: string, network: string | undefined): void {
    this.#closed.add([reason]);
    if (reason !== 'crowded') return;
    this.#unreported++;
    const now = this.#now();
    if (now - this.#reportedAt < REPORT_AGAIN_MS) return;
    this.#report('network-crowded', { network, closed: this.#unreported });
    this.#reportedAt = now;
    this.#unreported = 0;
  }
}
