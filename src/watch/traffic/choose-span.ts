import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { type TrafficStep, trafficSteps } from './traffic-store.ts';

/** The intervals that a question can name. */
export const namedIntervals = { '1m': 60_000, '5m': 300_000, '1h': HOUR_MS, '1d': DAY_MS } as const;
export type NamedInterval = keyof typeof namedIntervals;

/** The intervals of a question that names none, the finest first. */
const free = ['1m', '5m', '1h', '2h', '6h', '12h', '1d', '2d', '4d', '8d'] as const;
/** Those of a question about all accounts, each with the longest span that it reads quickly. */
const broad: readonly (readonly [interval: (typeof free)[number], maxMs: number])[] = [
  ['1m', HOUR_MS],
  ['1h', 72 * HOUR_MS],
  ['1d', 40 * DAY_MS],
  ['8d', Number.POSITIVE_INFINITY],
];
const units: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: DAY_MS };
const lengthOf = (interval: string): number => Number.parseInt(interval, 10) * units[interval.at(-1)!]!;

/** The most intervals of an answer whose question names no interval, and of any answer. */
const MAX_FREE = 120;
const MAX_NAMED = 3_000;

export type TrafficSpan = {
  /** Milliseconds. Both are whole intervals since 1970; `to` is exclusive. */
  from: number;
  to: number;
  interval: string;
  intervalMs: number;
  step: TrafficStep;
};

export type SpanQuestion = {
  from: number;
  to: number;
  interval?: NamedInterval | undefined;
  /** The question distinguishes all accounts or keys, which have far more rows than the whole. */
  isBroad?: boolean;
  now: number;
};
/** A span that cannot be answered. `param` is the parameter to blame. */
export type SpanProblem = { param: 'from' | 'to' | 'interval'; message: string };

/** Chooses the intervals of a span, and the sums that have them. The span is widened to whole intervals. */
export function chooseSpan({
  from,
  to,
  interval,
  isBroad = false,
  now,
}: SpanQuestion): TrafficSpan | SpanProblem {
  if (from >= to) return { param: 'from', message: 'from must be before to.' };
  if (now - from > trafficSteps.day.keptMs + trafficSteps.day.ms)
    return { param: 'from', message: 'from must be within the last 400 days.' };
  if (interval === undefined) {
    const names = isBroad ? broad.filter(([, maxMs]) => to - from <= maxMs).map(([name]) => name) : free;
    const spans = names.map((name) => spanOf({ from, to }, name, lengthOf(name)));
    const chosen = spans.find((span) => isKept(span, now) && countOf(span) <= MAX_FREE) ?? spans.at(-1)!;
    return countOf(chosen) > MAX_NAMED ? { param: 'to', message: 'to is too far ahead.' } : chosen;
  }
  const span = spanOf({ from, to }, interval, namedIntervals[interval]);
  if (!isKept(span, now))
    return {
      param: 'interval',
      message: `${keptLonger[span.step]} Choose a longer interval or a later from.`,
    };
  if (countOf(span) > MAX_NAMED)
    return {
      param: 'interval',
      message: `The span has more than ${MAX_NAMED} intervals. Choose a longer interval.`,
    };
  return span;
}

const keptLonger: Readonly<Record<TrafficStep, string>> = {
  minute: 'Sums of minutes are kept for 2 days.',
  hour: 'Sums of hours are kept for 35 days.',
  day: 'Sums of days are kept for 400 days.',
};

function spanOf(
  { from, to }: { from: number; to: number },
  interval: string,
  intervalMs: number,
): TrafficSpan {
  return {
    from: Math.floor(from / intervalMs) * intervalMs,
    to: Math.ceil(to / intervalMs) * intervalMs,
    interval,
    intervalMs,
    step: stepOf(intervalMs),
  };
}

const stepOf = (intervalMs: number): TrafficStep => {
  if (intervalMs < trafficSteps.hour.ms) return 'minute';
  return intervalMs < trafficSteps.day.ms ? 'hour' : 'day';
};

/** A sum is removed some time after its last moment is kept, so the first interval may begin before that. */
const isKept = ({ from, step, intervalMs }: TrafficSpan, now: number): boolean =>
  now - from <= trafficSteps[step].keptMs + intervalMs;

const countOf = ({ from, to, intervalMs }: TrafficSpan): number => (to - from) / intervalMs;
