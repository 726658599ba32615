import { type Exposition, formatBound, formatLabels } from './exposition.ts';

/** Identifies the request behind an observation, for exemplars. */
export type ExemplarSource = {
  readonly requestId: string;
  readonly trace?:
    | { readonly isSampled: boolean; readonly traceId: string; readonly spanId: string }
    | undefined;
};

/** An exemplar. Without a sampled trace, both ids are empty. */
export type ExemplarReading = {
  requestId: string;
  value: number;
  endedAtMs: number;
  traceId: string;
  spanId: string;
};

export type HistogramReading = {
  bounds: readonly number[];
  counts: readonly number[];
  sum: number;
  exemplars: readonly ExemplarReading[];
};

/** A series of a histogram. Each bucket keeps its latest observation as an exemplar. */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  /** The latest observations, created with the first one that has a source. */
  #exemplars: ExemplarLists | undefined;
  /** The traces of these observations, created with the first observation in a sampled trace. */
  #traces: TraceLists | undefined;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  /** `endedAtMs` is the time of the observation on the monotonic clock. */
  observe(value: number, source?: ExemplarSource, endedAtMs = 0): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
    if (source === undefined) return;
    this.#exemplars ??= exemplarLists(bounds.length + 1);
    this.#exemplars.ids[bucket] = source.requestId;
    this.#exemplars.values[bucket] = value;
    this.#exemplars.endedAtMs[bucket] = endedAtMs;
    const { trace } = source;
    if (trace?.isSampled) {
      this.#traces ??= traceLists(bounds.length + 1);
      this.#traces.traceIds[bucket] = trace.traceId;
      this.#traces.spanIds[bucket] = trace.spanId;
    } else if (this.#traces !== undefined) this.#traces.traceIds[bucket] = '';
  }

  /** Returns the counts of the buckets, each without those below it, and their sum and exemplars. */
  read(): HistogramReading {
    const exemplars = this.#counts.flatMap((_, bucket) => this.#exemplarOf(bucket) ?? []);
    return { bounds: this.#bounds, counts: this.#counts, sum: this.#sum, exemplars };
  }

  format(
    name: string,
    { labels, values }: { labels: readonly string[]; values: readonly string[] },
    exposition: Exposition,
  ): string {
    const names = [...labels, 'le'];
    let text = '';
    let total = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      total += count;
      const bound = formatBound(this.#bounds[bucket], exposition);
      const exemplar = exposition === 'openmetrics' ? this.#exemplarOf(bucket) : undefined;
      const suffix = exemplar ? formatExemplar(exemplar) : '';
      text += `${name}_bucket${formatLabels(names, [...values, bound])} ${total}${suffix}\n`;
    }
    const all = formatLabels(labels, values);
    return `${text}${name}_sum${all} ${this.#sum}\n${name}_count${all} ${total}\n`;
  }

  #exemplarOf(bucket: number): ExemplarReading | undefined {
    const lists = this.#exemplars;
    const requestId = lists?.ids[bucket];
    if (!lists || !requestId) return undefined;
    return {
      requestId,
      value: lists.values[bucket]!,
      endedAtMs: lists.endedAtMs[bucket]!,
      traceId: this.#traces?.traceIds[bucket] ?? '',
      spanId: this.#traces?.spanIds[bucket] ?? '',
    };
  }
}

/** The exemplars by bucket. The id is empty in a bucket without an exemplar. */
type ExemplarLists = { ids: string[]; values: number[]; endedAtMs: number[] };
type TraceLists = { traceIds: string[]; spanIds: string[] };

const exemplarLists = (buckets: number): ExemplarLists => ({
  ids: new Array(buckets).fill(''),
  values: new Array(buckets).fill(0),
  endedAtMs: new Array(buckets).fill(0),
});

const traceLists = (buckets: number): TraceLists => ({
  traceIds: new Array(buckets).fill(''),
  spanIds: new Array(buckets).fill(''),
});

function formatExemplar({ requestId, value, endedAtMs, traceId }: ExemplarReading): string {
  const atSeconds = (performance.timeOrigin + endedAtMs) / 1_000;
  const labels = traceId
    ? formatLabels(['trace_id', 'request_id'], [traceId, requestId])
    : formatLabels(['request_id'], [requestId]);
  return ` # ${labels} ${value} ${atSeconds.toFixed(3)}`;
}
