import { waitAtMost } from '../../base/lib/wait-at-most.ts';
import { RequestTrace, type Sampler } from '../../base/tracing/request-trace.ts';
import { readTraceContext } from '../../base/tracing/trace-context.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { OtlpTarget, TelemetrySettings } from '../../settings/config/telemetry-settings.ts';
import type { FamilyReading } from '../observability/metric.ts';
import { createSampler } from './create-sampler.ts';
import { MetricExporter } from './metric-exporter.ts';
import { LAST_EXPORT_MS, OtlpSender, type Report } from './otlp-sender.ts';
import { SpanExporter } from './span-exporter.ts';
import type { TelemetryMetrics, TelemetrySignal } from './telemetry-metrics.ts';

export type TelemetryParts = {
  settings: TelemetrySettings;
  metrics: TelemetryMetrics;
  /** Returns the values that `/metrics` shows. */
  read(): readonly FamilyReading[];
  report: Report;
};

const isOfTheApi = (path: string): boolean => path.startsWith('/v1/') || path.startsWith('/v1beta/');

/** Traces requests, and exports traces and metrics. */
export class Telemetry {
  readonly #sampler: Sampler;
  readonly #senders: OtlpSender[] = [];
  readonly #spans: SpanExporter | undefined;
  readonly #metrics: MetricExporter | undefined;

  constructor({ settings, metrics, read, report }: TelemetryParts) {
    this.#sampler = createSampler(settings.sampler);
    const senderTo = (signal: TelemetrySignal, target: OtlpTarget): OtlpSender => {
      const sender = new OtlpSender({ signal, target, metrics, report });
      this.#senders.push(sender);
      return sender;
    };
    if (settings.traces) {
      const sender = senderTo('traces', settings.traces);
      this.#spans = new SpanExporter({ settings, sender, metrics });
    }
    if (settings.metrics) {
      const sender = senderTo('metrics', settings.metrics);
      this.#metrics = new MetricExporter({ settings, sender, read });
    }
  }

  /** Begins the trace of a request to the API. Probes, scrapes and the admin API are not traced. */
  begin(exchange: Exchange): void {
    if (!this.#spans || !isOfTheApi(exchange.path)) return;
    exchange.trace = new RequestTrace(readTraceContext(exchange.request.headers), this.#sampler);
  }

  /** Takes the spans of a request whose answer has ended. */
  finished(
    { trace, requestId, method, path, route, notes, startedAtMs, detached }: Exchange,
    durationMs: number,
  ): void {
    if (!trace?.isSampled) return;
    const endedAtMs = startedAtMs + durationMs;
    const facts = { requestId, method, path, route, notes, startedAtMs, endedAtMs };
    this.#spans?.add({ trace, ...facts, ...(detached && { detached }) });
  }

  /** Exports what waits, and the last values of the metrics. Returns after a bounded time. */
  async close(): Promise<void> {
    for (const sender of this.#senders) sender.close();
    await waitAtMost(LAST_EXPORT_MS, this.#exportLast());
  }

  /** The metrics come last, so that they count the last traces. */
  async #exportLast(): Promise<void> {
    await this.#spans?.flush();
    await this.#metrics?.close();
  }
}
