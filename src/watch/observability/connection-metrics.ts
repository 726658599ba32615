import { Counter, type Metric, single } from './metrics.ts';

type Tell = (event: string, fields: Record<string, unknown>) => void;

/** The interval between two log lines about networks with too many connections. */
const TELL_AGAIN_MS = 60_000;

/** The metrics of client connections: how many are open, and how many the gateway closed. */
export class ConnectionMetrics {
  readonly metrics: readonly Metric[];
  readonly #tell: Tell;
  readonly #now: () => number;
  readonly #closed = new Counter({
    name: 'tollgate_connections_closed_total',
    help: 'Client connections that the gateway closed, by reason.',
    labels: ['reason'],
  });
  #open: () => number | undefined = () => undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #untold = 0;

  constructor(tell: Tell, now = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
    const open = single({ name: 'tollgate_connections', help: 'Open client connections.' }, () =>
      this.#open(),
    );
    this.metrics = [this.#closed, open];
  }

  read(open: () => number | undefined): void {
    this.#open = open;
  }

  closed(reason: string, network: string | undefined): void {
    this.#closed.add([reason]);
    if (reason !== 'crowded') return;
    this.#untold++;
    const now = this.#now();
    if (now - this.#toldAt < TELL_AGAIN_MS) return;
    this.#tell('network-crowded', { network, closed: this.#untold });
    this.#toldAt = now;
    this.#untold = 0;
  }
}
