import type { Exchange } from '../../edge/http/exchange.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { REQUESTED } from '../../translation/members/inspection.ts';
import type { Capacity } from '../../upstream/capacity/capacity.ts';
import type { OverloadLevel } from '../../upstream/capacity/overload.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import type { EventLoopWatch } from './event-loop-watch.ts';
import { END_OF_OPENMETRICS, type Exposition } from './exposition.ts';
import {
  Counter,
  type FamilyReading,
  Gauge,
  Histogram,
  type Metric,
  type MetricFamily,
  single,
} from './metrics.ts';
import { processMetrics } from './process-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

const WAIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** The sources that are read at each scrape. */
export type MetricSources = {
  eventLoop: EventLoopWatch;
  capacity: Capacity<Provider>;
  overload: { readonly level: OverloadLevel };
  activity: { readonly refusedKeys: number };
};

export class GatewayMetrics {
  readonly #requests = new RequestMetrics();
  readonly #losses = new Counter({
    name: 'tollgate_translation_losses_total',
    help: 'Fields of requests that the translation dropped, by loss code.',
    labels: ['dialect', 'wire', 'code'],
  });
  readonly #unbilled = new Counter({
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
  readonly #learned = new Counter({
    name: 'tollgate_learned_refusals_total',
    help: 'Optional parameters that a provider refused. Later requests leave them out.',
    labels: ['provider', 'model', 'member'],
  });
  readonly #refused = new Counter({
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
  readonly #implausible = new Counter({
    name: 'tollgate_implausible_usage_total',
    help: 'Answers whose upstream reported more tokens than the request can use.',
    labels: ['provider', 'model'],
  });
  #all: readonly Metric[];
  #inFlight = 0;
  /** Is called for each request that was sent upstream with a member or a hosted tool without a price. */
  reportUnpriced: (model: string, extra: string) => void = () => {};
  /** Is called for each dimension of an answer's usage that has no price. */
  reportUnpricedUsage: (model: string, dimension: string) => void = () => {};
  /** Is called for each charged answer of a model. */
  reportUse: (model: string) => void = () => {};
  #openStreams = 0;

  constructor(sources: MetricSources) {
    this.#all = [
      this.#requests,
      this.#losses,
      this.#unbilled,
      this.#unpricedUsage,
      this.#unknownTypes,
      this.#learned,
      this.#refused,
      this.#implausible,
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

  opened(): void {
    this.#inFlight++;
  }

  answered({ notes }: Exchange): void {
    if (notes.stream) this.#openStreams++;
  }

  finished(exchange: Exchange, durationMs: number): void {
    const { notes, snapshot } = exchange;
    this.#inFlight--;
    if (notes.stream) this.#openStreams--;
    this.#requests.finished(exchange, durationMs);
    if (notes.refusalReason !== undefined) this.#refused.add([notes.refusalReason]);
    if (notes.losses) {
      const { dialect, wire, codes } = notes.losses;
      for (const code of codes) this.#losses.add([dialect, wire, code]);
    }
    this.#countUnpriced(notes);
    if (notes.costMicrocredits && notes.servedModel !== undefined) this.reportUse(notes.servedModel);
    for (const name of notes.unknownTypes ?? [])
      this.#unknownTypes.add([notes.provider ?? '', name.startsWith(REQUESTED) ? 'request' : 'answer']);
    if (notes.servedModel !== undefined && notes.unbilled !== undefined)
      this.#countUnbilled(snapshot.catalog.labelOf(notes.servedModel), notes.unbilled);
  }

  /** Counts the cost of a batch item, which is no request of a client. */
  spent(notes: Exchange['notes']): void {
    this.#requests.spent(notes);
    if (notes.refusalReason !== undefined) this.#refused.add([notes.refusalReason]);
    this.#countUnpriced(notes);
    if (notes.costMicrocredits && notes.servedModel !== undefined) this.reportUse(notes.servedModel);
    if (notes.servedModel !== undefined && notes.unbilled !== undefined)
      this.#countUnbilled(notes.servedModel, notes.unbilled);
  }

  #countUnbilled(model: string, unbilled: readonly string[]): void {
    for (const extra of unbilled) {
      this.#unbilled.add([model, extra]);
      this.reportUnpriced(model, extra);
    }
  }

  #countUnpriced({ servedModel, unpricedUsage }: Exchange['notes']): void {
    if (servedModel === undefined || unpricedUsage === undefined) return;
    for (const dimension of unpricedUsage) {
      this.#unpricedUsage.add([servedModel, dimension]);
      this.reportUnpricedUsage(servedModel, dimension);
    }
  }

  learned({ provider, model, member }: { provider: string; model: string; member: string }): void {
    this.#learned.add([provider, model, member]);
  }

  waited(planClass: PlanClass, outcome: string, waitedMs: number): void {
    this.#queueWait.observe([planClass, outcome], waitedMs / 1_000);
  }

  implausible(provider: string, model: string): void {
    this.#implausible.add([provider, model]);
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
}

const queueGauges = ({ capacity, overload, activity }: MetricSources): Metric[] => [
  new Gauge(
    {
      name: 'tollgate_refused_provider_keys',
      help: 'Providers that refuse their API key.',
    },
    () => [[[], activity.refusedKeys]],
  ),
  new Gauge({ name: 'tollgate_queue_length', help: 'Requests queued for capacity.', labels: ['class'] }, () =>
    planClasses.map((planClass) => [[planClass], capacity.waiting(planClass)] as const),
  ),
  new Gauge(
    {
      name: 'tollgate_queue_oldest_seconds',
      help: 'Time that the oldest queued request has waited.',
      labels: ['class'],
    },
    () => planClasses.map((planClass) => [[planClass], capacity.oldestWaitMs(planClass) / 1_000] as const),
  ),
  new Gauge(
    {
      name: 'tollgate_overload',
      help: 'The label is the current overload level. The value is 1, or 0 without overload.',
      labels: ['level'],
    },
    () => [[[overload.level], overload.level === 'none' ? 0 : 1]],
  ),
];
