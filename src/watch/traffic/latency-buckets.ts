import { DAY_MS } from '../../base/lib/units.ts';

/** The counts of durations by bucket. A bucket is a whole number. */
export type LatencyBuckets = Map<number, number>;

/** Consecutive bounds differ by 8 %. A percentile is the middle of its bucket, and so at most 4 % off. */
const GROWTH = Math.log(1.08);
/** The bound below which a duration is in bucket 0. */
const MIN_MS = 0.1;
/** The bound above which a duration is in the last bucket. */
const MAX_MS = DAY_MS;

export type LatencyPercentiles = Record<'p50' | 'p95' | 'p99', number | null>;

const bucketOf = (ms: number): number =>
  ms > MIN_MS ? 1 + Math.floor(Math.log(Math.min(ms, MAX_MS) / MIN_MS) / GROWTH) : 0;

const middleOf = (bucket: number): number =>
  bucket === 0 ? MIN_MS : MIN_MS * Math.exp((bucket - 0.5) * GROWTH);

/** Counts one duration. */
export function addLatency(buckets: LatencyBuckets, ms: number): void {
  const bucket = bucketOf(ms);
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
}

/** Adds the counts of `from` to those of `into`. */
export function mergeLatencies(into: LatencyBuckets, from: LatencyBuckets): void {
  for (const [bucket, count] of from) into.set(bucket, (into.get(bucket) ?? 0) + count);
}

/**
 * Formats the counts for a store: each bucket with its count.
 *
 * @example
 * formatLatencies(new Map([[57, 1], [60, 2]])); // → '57 1 60 2'
 */
export function formatLatencies(buckets: LatencyBuckets): string {
  let text = '';
  for (const [bucket, count] of buckets) text += text === '' ? `${bucket} ${count}` : ` ${bucket} ${count}`;
  return text;
}

const SPACE = 32;
const ZERO = 48;

/**
 * Adds the counts of texts that are joined by spaces. They are read by character, since a page reads
 * megabytes of them.
 */
export function addFormatted(into: LatencyBuckets, text: string): void {
  let bucket: number | undefined;
  let number: number | undefined;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : SPACE;
    if (code !== SPACE) number = (number ?? 0) * 10 + (code - ZERO);
    else if (number !== undefined) {
      if (bucket === undefined) bucket = number;
      else {
        into.set(bucket, (into.get(bucket) ?? 0) + number);
        bucket = undefined;
      }
      number = undefined;
    }
  }
}

/** Returns the percentiles in milliseconds by nearest rank. `null` means that there is no duration. */
export function percentilesOf(buckets: LatencyBuckets): LatencyPercentiles {
  const sorted = [...buckets].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const percentile = (share: number): number | null => {
    let remaining = Math.max(1, Math.ceil(share * total));
    for (const [bucket, count] of sorted) {
      remaining -= count;
      if (remaining <= 0) return roundedMs(middleOf(bucket));
    }
    return null;
  };
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}

/** Rounds to about three significant digits, which are enough for a figure within 4 %. */
const roundedMs = (ms: number): number => (ms < 10 ? Math.round(ms * 100) / 100 : Math.round(ms * 10) / 10);
