import type { RelayedSignal } from '../../settings/config/telemetry-settings.ts';
import { Counter } from '../observability/counter.ts';
import type { Metric } from '../observability/metric.ts';
import { ReadMetric } from '../observability/read-metric.ts';

/** A kind of export. The kinds of clients are exports that are passed on. */
export type TelemetrySignal = 'traces' | 'metrics' | `client_${RelayedSignal}`;

/** The reasons why items are not exported. */
export type DropReason = 'queue_full' | 'unreachable' | 'refused';

/** The metrics of the export itself. */
export class TelemetryMetrics {
  readonly #exported = new Counter({
    name: 'tollgate_telemetry_exported_total',
    help: 'Requests whose trace was exported over OTLP, exports of metrics, and exports of clients that were forwarded.',
    labels: ['signal'],
  });
  readonly #dropped = new Counter({
    name: 'tollgate_telemetry_dropped_total',
    help: 'Requests whose trace was not exported, and exports of metrics and of clients that failed, by reason.',
    labels: ['signal', 'reason'],
  });
  readonly all: readonly Metric[];
  /** Returns the number of requests whose trace waits. Undefined while no traces are exported. */
  waiting: (() => number) | undefined;

  constructor() {
    this.all = [
      this.#exported,
      this.#dropped,
      new ReadMetric(
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
