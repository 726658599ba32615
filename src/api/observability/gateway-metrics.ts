import { createResidentBytes } from '../../base/memory/resident-bytes.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Capacity } from '../../upstream/capacity/capacity.ts';
import type { OverloadLevel } from '../../upstream/capacity/overload.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import type { EventLoopWatch } from './event-loop-watch.ts';
import { Counter, Gauge, Histogram, type Metric } from './metrics.ts';

const LATENCY_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** The sources that are read at each scrape. */
export type MetricSources = {
  eventLoop: EventLoopWatch;
  capacity: Capacity<Provider>;
  overload: { readonly level: OverloadLevel };
  activity: { readonly refusedKeys: number };
};

/** All metrics of the gateway. */
export class GatewayMetrics {
  readonly #requests = new Counter({
    name: 'tollgate_requests_total',
    help: 'Requests answered, by route, status and error code.',
    labels: ['route', 'method', 'status', 'code'],
  });
  readonly #firstByte = new Histogram(
    {
      name: 'tollgate_first_byte_seconds',
      help: 'Time from the arrival of a request to the first byte of its answer.',
      labels: ['route', 'stream'],
    },
    LATENCY_SECONDS,
  );
  readonly #duration = new Histogram(
    {
      name: 'tollgate_duration_seconds',
      help: 'Time from the arrival of a request to the end of its answer.',
      labels: ['route', 'stream'],
    },
    LATENCY_SECONDS,
  );
  readonly #tokens = new Counter({
    name: 'tollgate_tokens_total',
    help: 'Tokens of answered requests, by the model that answered.',
    labels: ['model', 'direction'],
  });
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
  readonly #queueWait = new Histogram(
    {
      name: 'tollgate_queue_wait_seconds',
      help: 'Time that requests queued for capacity, by plan class and outcome.',
      labels: ['class', 'outcome'],
    },
    LATENCY_SECONDS,
  );
  readonly #implausible = new Counter({
    name: 'tollgate_implausible_usage_total',
    help: 'Answers whose upstream reported more tokens than the request can use.',
    labels: ['provider', 'model'],
  });
  #all: readonly Metric[];
  #inFlight = 0;
  #openStreams = 0;

  constructor(sources: MetricSources) {
    const counted = [this.#requests, this.#firstByte, this.#duration, this.#tokens, this.#losses];
    this.#all = [
      ...counted,
      this.#unbilled,
      this.#implausible,
      this.#queueWait,
      ...this.#gauges(sources.eventLoop),
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

  answered({ route, method, notes }: Exchange, status: number, firstByteMs: number): void {
    if (notes.stream) this.#openStreams++;
    this.#requests.add([route, method, String(status), notes.errorCode ?? '']);
    this.#firstByte.observe([route, streamLabel(notes.stream)], firstByteMs / 1_000);
  }

  finished({ route, notes }: Exchange, durationMs: number): void {
    this.#inFlight--;
    if (notes.stream) this.#openStreams--;
    this.#duration.observe([route, streamLabel(notes.stream)], durationMs / 1_000);
    if (notes.losses) {
      const { dialect, wire, codes } = notes.losses;
      for (const code of codes) this.#losses.add([dialect, wire, code]);
    }
    if (notes.servedModel === undefined) return;
    for (const extra of notes.unbilled ?? []) this.#unbilled.add([notes.servedModel, extra]);
    if (notes.inputTokens) this.#tokens.add([notes.servedModel, 'input'], notes.inputTokens);
    if (notes.outputTokens) this.#tokens.add([notes.servedModel, 'output'], notes.outputTokens);
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

  format(): string {
    return this.#all.map((metric) => metric.format()).join('');
  }

  #gauges(eventLoop: EventLoopWatch): Metric[] {
    const single = (name: string, help: string, read: () => number) =>
      new Gauge({ name, help }, () => [[[], read()]]);
    return [
      single('tollgate_in_flight_requests', 'Requests whose answer has not ended.', () => this.#inFlight),
      single('tollgate_open_streams', 'Streams that have started and not ended.', () => this.#openStreams),
      single(
        'tollgate_event_loop_delay_seconds',
        'Longest event loop delay in the last ten seconds.',
        () => eventLoop.longestMs / 1_000,
      ),
      single('process_resident_memory_bytes', 'Resident memory of the process.', createResidentBytes()),
      single('process_cpu_seconds_total', 'User and system CPU time of the process.', () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1e6;
      }),
    ];
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

const streamLabel = (stream: boolean | undefined): string => (stream ? 'true' : 'false');
