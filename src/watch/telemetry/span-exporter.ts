import { SingleFlight } from '../../base/lib/single-flight.ts';
import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import { Envelope } from './envelope.ts';
import type { FinishedRequest } from './finished-request.ts';
import type { OtlpSender } from './otlp-sender.ts';
import { SpanEncoder } from './span-encoder.ts';
import type { TelemetryMetrics } from './telemetry-metrics.ts';

export type SpanExporterParts = {
  settings: Pick<TelemetrySettings, 'genAiNames' | 'resource' | 'batchDelayMs'>;
  sender: Pick<OtlpSender, 'send'>;
  metrics: TelemetryMetrics;
};

/**
 * The most requests of one export. Encoding them takes about a millisecond, in which no request is served.
 */
const REQUESTS_AT_A_TIME = 256;
/** The most requests that wait. Each takes one to two kilobytes. */
const MAX_WAITING = 8_192;

/**
 * Collects finished requests and exports their spans in batches. A request that does not fit the queue is
 * dropped and counted.
 */
export class SpanExporter {
  readonly #parts: SpanExporterParts;
  readonly #encoder: SpanEncoder;
  readonly #envelope: Envelope;
  #waiting: FinishedRequest[] = [];
  #timer: Timer | undefined;
  readonly #exporting = new SingleFlight();

  constructor(parts: SpanExporterParts) {
    this.#parts = parts;
    this.#encoder = new SpanEncoder(parts.settings.genAiNames);
    this.#envelope = new Envelope(parts.settings.resource);
    parts.metrics.waiting = () => this.#waiting.length;
  }

  add(request: FinishedRequest): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#parts.metrics.dropped('traces', 'queue_full', 1);
      return;
    }
    const count = this.#waiting.push(request);
    if (this.#exporting.isRunning) return;
    if (count >= REQUESTS_AT_A_TIME) this.#start();
    else this.#startLater();
  }

  /** Exports all requests that wait. */
  async flush(): Promise<void> {
    this.#start();
    await this.#exporting.ended();
    if (this.#waiting.length > 0) await this.flush();
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Requests can arrive after the last look of a run at the queue, and before the run has ended.
    void this.#exporting.run(() => this.#run()).then(() => this.#startLater());
  }

  /** Starts an export after the delay, if requests wait and no other export is due. */
  #startLater(): void {
    if (this.#waiting.length === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#start(), this.#parts.settings.batchDelayMs);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    // The export runs after the requests of this turn, since encoding is not urgent.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, REQUESTS_AT_A_TIME);
      const body = this.#envelope.seal((writer) => {
        for (const request of batch) this.#encoder.write(writer, request);
      });
      await this.#parts.sender.send(body, batch.length);
    }
  }
}
