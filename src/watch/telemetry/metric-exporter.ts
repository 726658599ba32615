import { SingleFlight } from '../../base/lib/single-flight.ts';
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
  readonly #sending = new SingleFlight();

  constructor(parts: MetricExporterParts) {
    this.#parts = parts;
    this.#envelope = new Envelope(parts.settings.resource);
    this.#timer = setInterval(() => void this.export(), parts.settings.metricIntervalMs);
    this.#timer.unref();
  }

  /** Exports the current values, unless an export is under way: later values include earlier ones. */
  export(): Promise<void> {
    const { settings, sender, read } = this.#parts;
    return this.#sending.run(() => {
      const body = this.#envelope.seal((writer) => writeMetrics(writer, read(), settings.genAiNames));
      return sender.send(body, 1);
    });
  }

  /** Exports the last values. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending.ended();
    await this.export();
  }
}
