import { statusClassOf, statusDigitOf } from '../../edge/http/status-class-of.ts';
import type { Count } from './counter.ts';
import { HistogramSeries } from './histogram-series.ts';

const DURATION_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** The bounds that the GenAI conventions advise for counts of tokens: the powers of four. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);
const FIRST_TOKEN_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The measurements of all requests with one provider, model, route and status class. */
export class RequestSeries {
  readonly provider: string;
  readonly model: string;
  readonly route: string;
  readonly statusDigit: number;
  readonly values: readonly string[];
  count = 0;
  readonly duration = new HistogramSeries(DURATION_SECONDS);
  /** Created with the first stream. */
  firstToken: HistogramSeries | undefined;
  /** The calls to the provider. It is created with the first one. */
  upstream: HistogramSeries | undefined;
  /** The series by error code, created with the first error. */
  errors: Map<string, number> | undefined;
  /** Handles to counters that have fewer labels. They are resolved with the first request that has tokens. */
  tokens: { input: Count; output: Count; spend: Count } | undefined;
  /** The tokens of each request. They are created with the first request that has tokens. */
  tokensEach: { input: HistogramSeries; output: HistogramSeries } | undefined;

  constructor(provider: string, model: string, route: string, statusDigit: number) {
    this.provider = provider;
    this.model = model;
    this.route = route;
    this.statusDigit = statusDigit;
    this.values = [provider, model, route, statusClassOf(statusDigit * 100)];
  }

  countFailure(code: string): void {
    this.errors ??= new Map();
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  called(seconds: number): void {
    this.upstream ??= new HistogramSeries(DURATION_SECONDS);
    this.upstream.observe(seconds);
  }

  used(input: number, output: number): void {
    this.tokensEach ??= { input: new HistogramSeries(TOKENS), output: new HistogramSeries(TOKENS) };
    this.tokensEach.input.observe(input);
    this.tokensEach.output.observe(output);
  }

  begun(): HistogramSeries {
    this.firstToken ??= new HistogramSeries(FIRST_TOKEN_SECONDS);
    return this.firstToken;
  }
}

/**
 * The most combinations of provider, model, route and status.
 * A further one counts under `other`, so that sums stay right.
 */
const MAX_COMBINATIONS = 2_000;
const OTHER = 'other';

type ByStatus = (RequestSeries | undefined)[];

/**
 * Finds the series of a request without building a key: one map for each label, and the two latest series.
 */
export class RequestSeriesBook {
  readonly all: RequestSeries[] = [];
  readonly #byRoute = new Map<string, Map<string, Map<string, ByStatus>>>();
  #last: RequestSeries | undefined;
  #lastButOne: RequestSeries | undefined;

  of(provider: string, model: string, route: string, status: number): RequestSeries {
    const digit = statusDigitOf(status);
    const last = this.#last;
    if (last !== undefined && isThat(last, provider, model, route, digit)) return last;
    const before = this.#lastButOne;
    const isBefore = before !== undefined && isThat(before, provider, model, route, digit);
    this.#lastButOne = last;
    this.#last = isBefore ? before : this.#find(provider, model, route, digit);
    return this.#last;
  }

  #find(provider: string, model: string, route: string, digit: number): RequestSeries {
    const series = this.#byRoute.get(route)?.get(provider)?.get(model)?.[digit];
    if (series) return series;
    const isFull = this.all.length >= MAX_COMBINATIONS && model !== OTHER;
    return isFull ? this.#find(OTHER, OTHER, route, digit) : this.#add(provider, model, route, digit);
  }

  #add(provider: string, model: string, route: string, digit: number): RequestSeries {
    const series = new RequestSeries(provider, model, route, digit);
    const byProvider = within(this.#byRoute, route, () => new Map<string, Map<string, ByStatus>>());
    const byModel = within(byProvider, provider, () => new Map<string, ByStatus>());
    within(byModel, model, (): ByStatus => [])[digit] = series;
    this.all.push(series);
    return series;
  }
}

function within<T>(map: Map<string, T>, key: string, make: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

const isThat = (
  series: RequestSeries,
  provider: string,
  model: string,
  route: string,
  digit: number,
): boolean =>
  series.statusDigit === digit &&
  series.model === model &&
  series.route === route &&
  series.provider === provider;
