import { type Exposition, formatBound, formatLabels } from './exposition.ts';

/** Identifies the request behind an observation, for exemplars. */
export type Source = {
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

/** One series of a histogram. Each bucket keeps its latest observation as an exemplar. */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  /** The three lists of exemplars are created with the first observation that has a source. */
  #ids: string[] | undefined;
  #values: number[] | undefined;
  #endedAtMs: number[] | undefined;
  /** The traces of these observations, created with the first observation in a sampled trace. */
  #traceIds: string[] | undefined;
  #spanIds: string[] | undefined;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array(bounds.length + 1).fill(0);
  }

  /** `endedAtMs` is the time of the observation on the monotonic clock. */
  observe(value: number, source?: Source, endedAtMs = 0): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
    if (source === undefined) return;
    if (this.#ids === undefined) {
      this.#ids = new Array(bounds.length + 1).fill('');
      this.#values = new Array(bounds.length + 1).fill(0);
      this.#endedAtMs = new Array(bounds.length + 1).fill(0);
    }
    this.#ids[bucket] = source.requestId;
    this.#values![bucket] = value;
    this.#endedAtMs![bucket] = endedAtMs;
    const { trace } = source;
    if (trace?.isSampled) this.#noteTrace(bucket, trace);
    else if (this.#traceIds !== undefined) this.#traceIds[bucket] = '';
  }

  /** Returns the counts of the buckets, each without those below it, and their sum and exemplars. */
  read(): HistogramReading {
    const exemplars: ExemplarReading[] = [];
    for (const [bucket, requestId] of (this.#ids ?? []).entries()) {
      if (requestId === '') continue;
      exemplars.push({
        requestId,
        value: this.#values![bucket]!,
        endedAtMs: this.#endedAtMs![bucket]!,
        traceId: this.#traceIds?.[bucket] ?? '',
        spanId: this.#spanIds?.[bucket] ?? '',
      });
    }
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
      const exemplar = exposition === 'openmetrics' ? this.#exemplar(bucket) : '';
      text += `${name}_bucket${formatLabels(names, [...values, bound])} ${total}${exemplar}\n`;
    }
    const all = formatLabels(labels, values);
    return `${text}${name}_sum${all} ${this.#sum}\n${name}_count${all} ${total}\n`;
  }

  #noteTrace(bucket: number, { traceId, spanId }: NonNullable<Source['trace']>): void {
    if (this.#traceIds === undefined) {
      this.#traceIds = new Array(this.#bounds.length + 1).fill('');
      this.#spanIds = new Array(this.#bounds.length + 1).fill('');
    }
    this.#traceIds[bucket] = traceId;
    this.#spanIds![bucket] = spanId;
  }

  #exemplar(bucket: number): string {
    const id = this.#ids?.[bucket];
    if (!id) return '';
    const atSeconds = (performance.timeOrigin + this.#endedAtMs![bucket]!) / 1_000;
    const traceId = this.#traceIds?.[bucket];
    const labels = traceId
      ? formatLabels(['trace_id', 'request_id'], [traceId, id])
      : formatLabels(['request_id'], [id]);
    return ` # ${labels} ${this.#values![bucket]} ${atSeconds.toFixed(3)}`;
  }
}
