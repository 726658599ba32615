import type { Exchange } from '../../edge/http/exchange.ts';
import { REQUESTED } from '../../translation/members/inspection.ts';
import type { PlanClass } from '../../upstream/capacity/plan-class.ts';
import { Counter } from './counter.ts';
import type { EventLoopWatch } from './event-loop-watch.ts';
import { END_OF_OPENMETRICS, type Exposition } from './exposition.ts';
import { Histogram } from './histogram.ts';
import type { FamilyReading, Metric, MetricFamily } from './metric.ts';
import { processMetrics } from './process-metrics.ts';
import { type QueueSources, queueGauges } from './queue-gauges.ts';
import { single } from './read-metric.ts';
import { RequestMetrics } from './request-metrics.ts';

const WAIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** The sources that are read at each scrape. */
export type MetricSources = QueueSources & { eventLoop: EventLoopWatch };

/** Gets the usage that an operator may have to look at. */
export type UsageObserver = {
  /** A request was sent upstream with a member or a hosted tool that has no price. */
  sentUnpriced(model: string, extra: string): void;
  /** An answer's usage has a dimension without a price. */
  usedUnpriced(model: string, dimension: string): void;
  /** An answer of the model was charged. */
  charged(model: string): void;
};

/** The metrics of requests and of what happens to them. Other parts add their own. */
export class GatewayMetrics {
  readonly #requests = new RequestMetrics();
  readonly #losses = new Counter({
    name: 'tollgate_translation_losses_total',
    help: 'Fields of requests that the translation dropped, by loss code.',
    labels: ['dialect', 'wire', 'code'],
  });
  readonly #unpricedRequests = new Counter({
    name: 'tollgate_unpriced_requests_total',
    help: 'Requests sent upstream with fields or hosted tools that have no price.',
    labels: ['model', 'extra'],
  });
  readonly #unpricedUsage = new Counter({
    name: 'tollgate_unpriced_usage_total',
    help: 'Answers whose upstream reported usage that has no price, by dimension.',
    labels: ['model', 'dimension'],
  });
  readonly #unknownTypes = new Counter({
    name: 'tollgate_unknown_types_total',
    help: 'Types in requests and answers that no official client of the vendor knows, by provider and direction.',
    labels: ['provider', 'direction'],
  });
  readonly #learnedRefusals = new Counter({
    name: 'tollgate_learned_refusals_total',
    help: 'Optional parameters that a provider refused. Later requests leave them out.',
    labels: ['provider', 'model', 'member'],
  });
  readonly #refusals = new Counter({
    name: 'tollgate_refused_total',
    help: 'Requests and attempts of batch items that the server refused because it lacked a resource, by reason.',
    labels: ['reason'],
  });
  readonly #queueWait = new Histogram(
    {
      name: 'tollgate_queue_wait_seconds',
      help: 'Time that requests queued for capacity, by plan class and outcome.',
      labels: ['class', 'outcome'],
    },
    WAIT_SECONDS,
  );
  readonly #implausibleUsage = new Counter({
    name: 'tollgate_implausible_usage_total',
    help: 'Answers whose upstream reported more tokens than the request can use.',
    labels: ['provider', 'model'],
  });
  #all: readonly Metric[];
  #inFlight = 0;
  #openStreams = 0;
  #usageObserver: UsageObserver | undefined;

  constructor(sources: MetricSources) {
    this.#all = [
      this.#requests,
      this.#losses,
      this.#unpricedRequests,
      this.#unpricedUsage,
      this.#unknownTypes,
      this.#learnedRefusals,
      this.#refusals,
      this.#implausibleUsage,
      this.#queueWait,
      single(
        { name: 'tollgate_in_flight_requests', help: 'Requests whose answer has not ended.' },
        () => this.#inFlight,
      ),
      single(
        { name: 'tollgate_open_streams', help: 'Streams that have started and not ended.' },
        () => this.#openStreams,
      ),
      ...processMetrics(sources.eventLoop),
      ...queueGauges(sources),
    ];
  }

  /** Adds metrics that other parts of the gateway maintain. */
  add(metrics: readonly Metric[]): void {
    this.#all = [...this.#all, ...metrics];
  }

  /** Sets the observer of the usage that is counted. */
  observeUsage(observer: UsageObserver): void {
    this.#usageObserver = observer;
  }

  opened(): void {
    this.#inFlight++;
  }

  answered({ notes }: Exchange): void {
    if (notes.stream) this.#openStreams++;
  }

  finished(exchange: Exchange, durationMs: number): void {
    const { notes } = exchange;
    this.#inFlight--;
    if (notes.stream) this.#openStreams--;
    this.#requests.finished(exchange, durationMs);
    if (notes.losses) {
      const { dialect, wire, codes } = notes.losses;
      for (const code of codes) this.#losses.add([dialect, wire, code]);
    }
    for (const name of notes.unknownTypes ?? [])
      this.#unknownTypes.add([notes.provider ?? '', name.startsWith(REQUESTED) ? 'request' : 'answer']);
    this.#countOutcome(exchange);
  }

  /**
   * Counts the end of an exchange without a client: an attempt of a batch item, or a response in the
   * background.
   */
  detachedFinished(exchange: DetachedEnd): void {
    this.#requests.addSpend(exchange);
    this.#countOutcome(exchange);
  }

  countLearnedRefusal({
    provider,
    model,
    member,
  }: {
    provider: string;
    model: string;
    member: string;
  }): void {
    this.#learnedRefusals.add([provider, model, member]);
  }

  observeQueueWait(planClass: PlanClass, outcome: string, waitedMs: number): void {
    this.#queueWait.observe([planClass, outcome], waitedMs / 1_000);
  }

  countImplausibleUsage(provider: string, model: string): void {
    this.#implausibleUsage.add([provider, model]);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get families(): MetricFamily[] {
    return this.#all.flatMap(({ families }) => families);
  }

  /** Returns the current values of all metrics. */
  read(): FamilyReading[] {
    return this.#all.flatMap((metric) => metric.read());
  }

  format(exposition: Exposition = 'prometheus'): string {
    const text = this.#all.map((metric) => metric.format(exposition)).join('');
    return exposition === 'openmetrics' ? text + END_OF_OPENMETRICS : text;
  }

  #countOutcome({ notes, snapshot }: DetachedEnd): void {
    const { servedModel, unbilled, unpricedUsage, costMicrocredits, refusalReason } = notes;
    if (refusalReason !== undefined) this.#refusals.add([refusalReason]);
    if (servedModel === undefined) return;
    if (costMicrocredits) this.#usageObserver?.charged(servedModel);
    if (unbilled !== undefined) this.#countUnpricedRequest(snapshot.catalog.labelOf(servedModel), unbilled);
    if (unpricedUsage !== undefined) this.#countUnpricedUsage(servedModel, unpricedUsage);
  }

  #countUnpricedRequest(model: string, extras: readonly string[]): void {
    for (const extra of extras) {
      this.#unpricedRequests.add([model, extra]);
      this.#usageObserver?.sentUnpriced(model, extra);
    }
  }

  #countUnpricedUsage(model: string, dimensions: readonly string[]): void {
    for (const dimension of dimensions) {
      this.#unpricedUsage.add([model, dimension]);
      this.#usageObserver?.usedUnpriced(model, dimension);
    }
  }
}

type DetachedEnd = Pick<Exchange, 'notes' | 'snapshot'>;
