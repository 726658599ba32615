import { Counter, Gauge, type Metric } from '../observability/metrics.ts';

export type TelemetrySignal = 'traces' | 'metrics';

/** The reasons why items are not exported. */
export type DropReason = 'queue_full' | 'unreachable' | 'refused';

/** The metrics of the export itself. */
export class TelemetryMetrics {
  readonly #exported = new Counter({
    name: 'tollgate_telemetry_exported_total',
    help: 'Requests whose trace was exported over OTLP, and exports of metrics.',
    labels: ['signal'],
  });
  readonly #dropped = new Counter({
    name: 'tollgate_telemetry_dropped_total',
    help: 'Requests whose trace was not exported, and exports of metrics that failed, by reason.',
    labels: ['signal', 'reason'],
  });
  readonly all: readonly Metric[];
  /** The number of requests whose trace waits. Undefined while no traces are exported. */
  waiting: (() => number) | undefined;

  constructor() {
    this.all = [
      this.#exported,
      this.#dropped,
      new Gauge(
        {
          name: 'tollgate_telemetry_queue_length',
          help: 'Requests whose trace waits for its export.',
        },
        () => (this.waiting ? [[[], this.waiting()]] : []),
      ),
    ];
  }

  exported(signal: TelemetrySignal, items: number): void {
    this.#exported.add([signal], items);
  }

  dropped(signal: TelemetrySignal, reason: DropReason, items: number): void {
    this.#dropped.add([signal, reason], items);
  }
}
