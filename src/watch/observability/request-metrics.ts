import type { Exchange } from '../../edge/http/exchange.ts';
import { Counter } from './counter.ts';
import { type Exposition, formatHead, formatLabels } from './exposition.ts';
import type { HistogramSeries } from './histogram-series.ts';
import type { FamilyReading, Metric, MetricFamily, SeriesReading } from './metric.ts';
import type { RequestSeries } from './request-series.ts';
import { RequestSeriesBook } from './request-series-book.ts';

const LABELS = ['provider', 'model', 'route', 'status'];

/** The values of one combination of labels at this moment. */
type Sample = { values: readonly string[]; value: number | HistogramSeries };

type RequestFamily = MetricFamily & {
  /** Returns the samples of one series. There are none without an observation. */
  samplesOf: (series: RequestSeries) => Sample[];
};

const sampleOf = (values: readonly string[], value: HistogramSeries | undefined): Sample[] =>
  value === undefined ? [] : [{ values, value }];

const requestFamilies: readonly RequestFamily[] = [
  {
    name: 'tollgate_requests_total',
    help: 'Requests whose answer has ended.',
    labels: LABELS,
    type: 'counter',
    samplesOf: ({ values, count }) => (count === 0 ? [] : [{ values, value: count }]),
  },
  {
    name: 'tollgate_request_errors_total',
    help: 'Requests that ended with an error. A status of 2xx means that a stream broke off after it had begun.',
    labels: [...LABELS, 'code'],
    type: 'counter',
    samplesOf: ({ values, errors = new Map<string, number>() }) =>
      Array.from(errors, ([code, count]) => ({ values: [...values, code], value: count })),
  },
  {
    name: 'tollgate_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labels: LABELS,
    type: 'histogram',
    samplesOf: ({ values, count, duration }) => sampleOf(values, count === 0 ? undefined : duration),
  },
  {
    name: 'tollgate_time_to_first_token_seconds',
    help: 'Time from the arrival of a streamed request to the first part of its answer.',
    labels: LABELS,
    type: 'histogram',
    samplesOf: ({ values, firstToken }) => sampleOf(values, firstToken),
  },
  {
    name: 'tollgate_upstream_duration_seconds',
    help: 'Time from the start of a call to a provider to the end of its answer. The status is that of the call.',
    labels: LABELS,
    type: 'histogram',
    samplesOf: ({ values, upstream }) => sampleOf(values, upstream),
  },
  {
    name: 'tollgate_request_tokens',
    help: 'Tokens of a request, by direction.',
    labels: [...LABELS, 'direction'],
    type: 'histogram',
    samplesOf: ({ values, tokensEach }) =>
      Object.entries(tokensEach ?? {}).map(([direction, value]) => ({
        values: [...values, direction],
        value,
      })),
  },
];

function formatSample(
  { name, labels }: MetricFamily,
  { values, value }: Sample,
  exposition: Exposition,
): string {
  return typeof value === 'number'
    ? `${name}${formatLabels(labels, values)} ${value}\n`
    : value.format(name, { labels, values }, exposition);
}

const readSample = ({ values, value }: Sample): SeriesReading => ({
  values,
  value: typeof value === 'number' ? value : value.read(),
});

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
    if (firstTokenMs !== undefined) series.ofFirstToken().observe(firstTokenMs / 1_000, exchange, endedAtMs);
    if (status >= 400 || errorCode !== undefined) series.countFailure(errorCode ?? '');
    this.#countCalls(exchange);
    if (notes.servedModel !== undefined && notes.inputTokens !== undefined)
      this.#countUsage(exchange, series);
  }

  /** Counts the cost alone, for an exchange that is no request of a client. */
  addSpend({ notes, snapshot }: Pick<Exchange, 'notes' | 'snapshot'>): void {
    const { provider = '', servedModel, costMicrocredits } = notes;
    if (!costMicrocredits || servedModel === undefined) return;
    this.#spend.add([provider, snapshot.catalog.labelOf(servedModel)], costMicrocredits);
  }

  format(exposition: Exposition = 'prometheus'): string {
    let text = '';
    for (const family of requestFamilies) {
      text += formatHead(family, exposition);
      for (const series of this.#book.all)
        for (const sample of family.samplesOf(series)) text += formatSample(family, sample, exposition);
    }
    return text + this.#tokens.format(exposition) + this.#spend.format(exposition);
  }

  read(): FamilyReading[] {
    const families = requestFamilies.map((family) => ({
      family,
      series: this.#book.all.flatMap((series) => family.samplesOf(series).map(readSample)),
    }));
    return [...families, ...this.#tokens.read(), ...this.#spend.read()];
  }

  #countCalls({ notes: { calls }, route, snapshot }: EndedExchange): void {
    if (calls === undefined) return;
    for (const { provider, modelId, ms, status } of calls) {
      if (ms === null) continue;
      const model = snapshot.catalog.labelOf(modelId);
      this.#book.of(provider, model, route, status ?? 0).observeCall(ms / 1_000);
    }
  }

  #countUsage({ notes }: EndedExchange, series: RequestSeries): void {
    const { provider, model } = series;
    series.tokens ??= {
      input: this.#tokens.handle([model, 'input']),
      output: this.#tokens.handle([model, 'output']),
      spend: this.#spend.handle([provider, model]),
    };
    series.tokens.input.count += notes.inputTokens ?? 0;
    series.tokens.output.count += notes.outputTokens ?? 0;
    series.tokens.spend.count += notes.costMicrocredits ?? 0;
    series.observeTokens(notes.inputTokens ?? 0, notes.outputTokens ?? 0);
  }
}

/** Returns the catalog id of the model, and '' for a request that names none. */
function modelLabel({ notes, snapshot }: EndedExchange): string {
  const model = notes.servedModel ?? notes.model;
  return model === undefined ? '' : snapshot.catalog.labelOf(model);
}
