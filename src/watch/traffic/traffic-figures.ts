import type { LatencyBuckets } from './latency-buckets.ts';

/** The values that distinguish figures. A text without a value is ''. */
export const trafficColumns = ['provider', 'model', 'account', 'key', 'status', 'node', 'source'] as const;
export type TrafficColumn = (typeof trafficColumns)[number];
export type TrafficPlace = Record<TrafficColumn, string>;

/**
 * The figures that are exact sums, as members of views and as columns of both stores. Money is in
 * micro-credits.
 */
export const trafficCounts = [
  'requests',
  'errors',
  'refused',
  'attempts',
  'failed_attempts',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'spend',
  'revenue',
] as const;
export type TrafficCounts = Record<(typeof trafficCounts)[number], number>;

export type TrafficSums = { counts: TrafficCounts; latency: LatencyBuckets; firstToken: LatencyBuckets };

export const noCounts = (): TrafficCounts => ({
  requests: 0,
  errors: 0,
  refused: 0,
  attempts: 0,
  failed_attempts: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  spend: 0,
  revenue: 0,
});

export const noSums = (): TrafficSums => ({ counts: noCounts(), latency: new Map(), firstToken: new Map() });

export function addCounts(into: TrafficCounts, from: TrafficCounts): void {
  for (const name of trafficCounts) into[name] += from[name];
}
