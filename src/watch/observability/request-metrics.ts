import type { Exchange } from '../../edge/http/exchange.ts';
import { Counter } from './counter.ts';
import { type Exposition, formatHead, formatLabels } from './exposition.ts';
import type { HistogramSeries } from './histogram-series.ts';
import type { FamilyReading, Metric, MetricFamily, SeriesReading } from './metric.ts';
import { type RequestSeries, RequestSeriesBook } from './request-series.ts';

const LABELS = ['provider', 'model', 'route', 'status'];

const TOKEN_LABELS = [...LABELS, 'direction'];

const directionsOf = (tokens: RequestSeries['tokensEach']): [string, HistogramSeries][] =>
  tokens === undefined ? [] : Object.entries(tokens);

type RequestFamily = MetricFamily & {
  format: (family: MetricFamily, series: RequestSeries, exposition: Exposition) => string;
  read: (series: RequestSeries) => SeriesReading[];
};

const requestFamilies: readonly RequestFamily[] = [
  {
    name: 'tollgate_requests_total',
    help: 'Requests whose answer has ended.',
    labels: LABELS,
    type: 'counter',
    format: ({ name, labels }, { values, count }) =>
      count === 0 ? '' : `${name}${formatLabels(labels, values)} ${count}\n`,
    read: ({ values, count }) => (count === 0 ? [] : [{ values, value: count }]),
  },
  {
    name: 'tollgate_request_errors_total',
    help: 'Requests that ended with an error. A status of 2xx means that a stream broke off after it had begun.',
    labels: [...LABELS, 'code'],
    type: 'counter',
    format: ({ name, labels }, { values, errors }) =>
      [...(errors ?? [])]
        .map(([code, count]) => `${name}${formatLabels(labels, [...values, code])} ${count}\n`)
        .join(''),
    read: ({ values, errors }) =>
      [...(errors ?? [])].map(([code, count]) => ({ values: [...values, code], value: count })),
  },
  {
    name: 'tollgate_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labels: LABELS,
    type: 'histogram',
    format: ({ name, labels }, { values, count, duration }, exposition) =>
      count === 0 ? '' : duration.format(name, { labels, values }, exposition),
    read: ({ values, count, duration }) => (count === 0 ? [] : [{ values, value: duration.read() }]),
  },
  {
    name: 'tollgate_time_to_first_token_seconds',
    help: 'Time from the arrival of a streamed request to the first part of its answer.',
    labels: LABELS,
    type: 'histogram',
    format: ({ name, labels }, { values, firstToken }, exposition) =>
      firstToken?.format(name, { labels, values }, exposition) ?? '',
    read: ({ values, firstToken }) => (firstToken ? [{ values, value: firstToken.read() }] : []),
  },
  {
    name: 'tollgate_upstream_duration_seconds',
    help: 'Time from the start of a call to a provider to the end of its answer. The status is that of the call.',
    labels: LABELS,
    type: 'histogram',
    format: ({ name, labels }, { values, upstream }, exposition) =>
      upstream?.format(name, { labels, values }, exposition) ?? '',
    read: ({ values, upstream }) => (upstream ? [{ values, value: upstream.read() }] : []),
  },
  {
    name: 'tollgate_request_tokens',
    help: 'Tokens of a request, by direction.',
    labels: TOKEN_LABELS,
    type: 'histogram',
    format: ({ name, labels }, { values, tokensEach }, exposition) =>
      directionsOf(tokensEach)
        .map(([direction, series]) =>
          series.format(name, { labels, values: [...values, direction] }, exposition),
        )
        .join(''),
    read: ({ values, tokensEach }) =>
      directionsOf(tokensEach).map(([direction, series]) => ({
        values: [...values, direction],
        value: series.read(),
      })),
  },
];

/** The values that the metrics take from the end of an exchange. */
export type EndedExchange = Pick<
  Exchange,
  'requestId' | 'route' | 'notes' | 'snapshot' | 'startedAtMs' | 'trace'
>;

/** The metrics by provider, model, route and status class. A request costs one lookup of its series. */
export class RequestMetrics implements Metric {
  readonly #book = new RequestSeriesBook();
  readonly #tokens = new Counter({
    name: 'tollgate_tokens_total',
    help: 'Tokens of answered requests, by the model that answered.',
    labels: ['model', 'direction'],
  });
  readonly #spend = new Counter({
    name: 'tollgate_spend_microcredits_total',
    help: 'Cost of settled requests and batch items at their rates, in micro-credits. A credit is 0.002 USD.',
    labels: ['provider', 'model'],
  });

  get families(): MetricFamily[] {
    return [...requestFamilies, ...this.#tokens.families, ...this.#spend.families];
  }

  finished(exchange: EndedExchange, durationMs: number): void {
    const { notes, startedAtMs } = exchange;
    const { status = 0, provider = '', errorCode, firstTokenMs } = notes;
    const series = this.#book.of(provider, modelLabel(exchange), exchange.route, status);
    const endedAtMs = startedAtMs + durationMs;
    series.count++;
    series.duration.observe(durationMs / 1_000, exchange, endedAtMs);
    if (firstTokenMs !== undefined) series.begun().observe(firstTokenMs / 1_000, exchange, endedAtMs);
    if (status >= 400 || errorCode !== undefined) series.countFailure(errorCode ?? '');
    this.#called(exchange);
    if (notes.servedModel !== undefined && notes.inputTokens !== undefined) this.#settled(exchange, series);
  }

  /** Counts the cost of a batch item. */
  spent({ provider = '', servedModel = '', costMicrocredits }: Exchange['notes']): void {
    if (costMicrocredits) this.#spend.add([provider, servedModel], costMicrocredits);
  }

  format(exposition: Exposition = 'prometheus'): string {
    const formatted = requestFamilies.map(
      (family) =>
        formatHead(family, exposition) +
        this.#book.all.map((series) => family.format(family, series, exposition)).join(''),
    );
    return formatted.join('') + this.#tokens.format(exposition) + this.#spend.format(exposition);
  }

  read(): FamilyReading[] {
    const families = requestFamilies.map((family) => ({
      family,
      series: this.#book.all.flatMap(family.read),
    }));
    return [...families, ...this.#tokens.read(), ...this.#spend.read()];
  }

  #called({ notes: { calls }, route, snapshot }: EndedExchange): void {
    if (calls === undefined) return;
    for (const { provider, modelId, ms, status } of calls) {
      if (ms === null) continue;
      const model = snapshot.catalog.labelOf(modelId);
      this.#book.of(provider, model, route, status ?? 0).called(ms / 1_000);
    }
  }

  #settled({ notes }: EndedExchange, series: RequestSeries): void {
    const { provider, model } = series;
    series.tokens ??= {
      input: this.#tokens.handle([model, 'input']),
      output: this.#tokens.handle([model, 'output']),
      spend: this.#spend.handle([provider, model]),
    };
    series.tokens.input.count += notes.inputTokens ?? 0;
    series.tokens.output.count += notes.outputTokens ?? 0;
    series.tokens.spend.count += notes.costMicrocredits ?? 0;
    series.used(notes.inputTokens ?? 0, notes.outputTokens ?? 0);
  }
}

/** Returns the catalog id of the model, and '' for a request that names none. */
function modelLabel({ notes, snapshot }: EndedExchange): string {
  const model = notes.servedModel ?? notes.model;
  return model === undefined ? '' : snapshot.catalog.labelOf(model);
}
