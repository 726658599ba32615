import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import type { FamilyReading } from '../observability/metric.ts';
import { Envelope } from './envelope.ts';
import type { OtlpSender } from './otlp-sender.ts';
import { writeMetrics } from './write-metrics.ts';

export type MetricExporterParts = {
  settings: Pick<TelemetrySettings, 'genAiNames' | 'resource' | 'metricIntervalMs'>;
  sender: Pick<OtlpSender, 'send'>;
  /** Returns the values that `/metrics` shows. */
  read(): readonly FamilyReading[];
};

/** Exports the metrics regularly. */
export class MetricExporter {
  readonly #parts: MetricExporterParts;
  readonly #envelope: Envelope;
  readonly #timer: Timer;
  #sending: Promise<void> | undefined;

  constructor(parts: MetricExporterParts) {
    this.#parts = parts;
    this.#envelope = new Envelope(parts.settings.resource);
    this.#timer = setInterval(() => void this.export(), parts.settings.metricIntervalMs);
    this.#timer.unref();
  }

  /** Exports the current values, unless an export is under way: later values include earlier ones. */
  export(): Promise<void> {
    const { settings, sender, read } = this.#parts;
    if (this.#sending) return this.#sending;
    const body = this.#envelope.seal((writer) => writeMetrics(writer, read(), settings.genAiNames));
    this.#sending = sender.send(body, 1).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Exports the last values. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.export();
  }
}
