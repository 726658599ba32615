import type { Exchange } from '../../edge/http/exchange.ts';
import { Counter } from './counter.ts';
import { type Exposition, formatHead } from './exposition.ts';
import type { FamilyReading, Metric, MetricFamily } from './metric.ts';
import { formatSample, readSample, requestFamilies } from './request-families.ts';
import type { RequestSeries } from './request-series.ts';
import { RequestSeriesBook } from './request-series-book.ts';

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
    // A request without an answer has the status 0.
    const { status = 0, provider = '', errorCode, firstTokenMs } = notes;
    const series = this.#book.of(provider, modelLabel(exchange), exchange.route, status);
    const endedAtMs = startedAtMs + durationMs;
    series.count++;
    series.duration.observe(durationMs / 1_000, exchange, endedAtMs);
    if (firstTokenMs !== undefined) series.observeFirstToken(firstTokenMs / 1_000, exchange, endedAtMs);
    if (status >= 400 || errorCode !== undefined) series.countFailure(errorCode ?? '');
    this.#countCalls(exchange);
    if (notes.servedModel !== undefined && notes.inputTokens !== undefined)
      this.#countUsage(exchange, series);
  }

  /** Counts only the cost, for an item of a batch. */
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

/** Returns the catalog id of the model, or '' for a request without a model. */
function modelLabel({ notes, snapshot }: EndedExchange): string {
  const model = notes.servedModel ?? notes.model;
  return model === undefined ? '' : snapshot.catalog.labelOf(model);
}
