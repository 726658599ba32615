import { statusClassOfDigit } from '../../edge/http/status-class-of.ts';
import type { Count } from './counter.ts';
import { type ExemplarSource, HistogramSeries } from './histogram-series.ts';

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
  /** The times to the first token, created with the first stream. */
  firstToken: HistogramSeries | undefined;
  /** The durations of calls to the provider, created with the first call. */
  upstream: HistogramSeries | undefined;
  /** The counts by error code, created with the first error. */
  errors: Map<string, number> | undefined;
  /** Handles to counters that have fewer labels. They are resolved with the first request that has tokens. */
  tokens: { input: Count; output: Count; spend: Count } | undefined;
  /** The tokens of each request, created with the first request that has tokens. */
  tokensEach: { input: HistogramSeries; output: HistogramSeries } | undefined;

  constructor(provider: string, model: string, route: string, statusDigit: number) {
    this.provider = provider;
    this.model = model;
    this.route = route;
    this.statusDigit = statusDigit;
    this.values = [provider, model, route, statusClassOfDigit(statusDigit)];
  }

  matches(provider: string, model: string, route: string, statusDigit: number): boolean {
    return (
      this.statusDigit === statusDigit &&
      this.model === model &&
      this.route === route &&
      this.provider === provider
    );
  }

  countFailure(code: string): void {
    this.errors ??= new Map();
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }

  /** Observes the duration of a call to the provider. */
  observeCall(seconds: number): void {
    this.upstream ??= new HistogramSeries(DURATION_SECONDS);
    this.upstream.observe(seconds);
  }

  observeTokens(input: number, output: number): void {
    this.tokensEach ??= { input: new HistogramSeries(TOKENS), output: new HistogramSeries(TOKENS) };
    this.tokensEach.input.observe(input);
    this.tokensEach.output.observe(output);
  }

  /** Observes the time to the first token, which only streams have. */
  observeFirstToken(seconds: number, source: ExemplarSource, endedAtMs: number): void {
    this.firstToken ??= new HistogramSeries(FIRST_TOKEN_SECONDS);
    this.firstToken.observe(seconds, source, endedAtMs);
  }
}
