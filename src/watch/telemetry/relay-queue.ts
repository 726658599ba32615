import { SingleFlight } from '../../base/lib/single-flight.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { waitAtMost } from '../../base/lib/wait-at-most.ts';
import type { OtlpTarget } from '../../settings/config/telemetry-settings.ts';
import { LAST_EXPORT_MS, OtlpSender, type Report } from './otlp-sender.ts';
import type { TelemetryMetrics, TelemetrySignal } from './telemetry-metrics.ts';

export type RelayQueueParts = {
  target: OtlpTarget;
  metrics: Pick<TelemetryMetrics, 'exported' | 'dropped'>;
  report: Report;
};

/** An export of a client. `type` is its content type. */
export type RelayedExport = { body: Uint8Array<ArrayBuffer>; type: string };

const MAX_WAITING_BYTES = 16 * MEGABYTE;

/** The exports of clients with one signal, sent one at a time. */
export class RelayQueue {
  readonly #signal: TelemetrySignal;
  readonly #sender: OtlpSender;
  readonly #metrics: RelayQueueParts['metrics'];
  readonly #sending = new SingleFlight();
  readonly #waiting: RelayedExport[] = [];
  #waitingBytes = 0;

  constructor(signal: TelemetrySignal, { target, metrics, report }: RelayQueueParts) {
    this.#signal = signal;
    this.#metrics = metrics;
    this.#sender = new OtlpSender({ signal, target, metrics, report });
  }

  add(relayed: RelayedExport): void {
    if (this.#waitingBytes + relayed.body.length > MAX_WAITING_BYTES) {
      this.#metrics.dropped(this.#signal, 'queue_full', 1);
      return;
    }
    this.#waitingBytes += relayed.body.length;
    this.#waiting.push(relayed);
    this.#start();
  }

  async close(): Promise<void> {
    this.#sender.close();
    await waitAtMost(LAST_EXPORT_MS, this.#sending.ended());
  }

  #start(): void {
    // An export that was added while the work ended is sent by another call.
    void this.#sending.run(() => this.#sendAll()).then(() => this.#waiting.length > 0 && this.#start());
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#sender.send(next.body, 1, next.type);
      this.#waitingBytes -= next.body.length;
    }
  }
}
