import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/lib/units.ts';
import { type TrafficStep, trafficSteps } from './traffic-step.ts';

/** The intervals of answers, the finest first. */
const intervals = [
  { name: '1m', ms: MINUTE_MS },
  { name: '5m', ms: 5 * MINUTE_MS },
  { name: '1h', ms: HOUR_MS },
  { name: '2h', ms: 2 * HOUR_MS },
  { name: '6h', ms: 6 * HOUR_MS },
  { name: '12h', ms: 12 * HOUR_MS },
  { name: '1d', ms: DAY_MS },
  { name: '2d', ms: 2 * DAY_MS },
  { name: '4d', ms: 4 * DAY_MS },
  { name: '8d', ms: 8 * DAY_MS },
] as const;
type IntervalName = (typeof intervals)[number]['name'];

/** The intervals that a question can name. */
export const namedIntervals = ['1m', '5m', '1h', '1d'] as const satisfies readonly IntervalName[];
export type NamedInterval = (typeof namedIntervals)[number];

/** The intervals for all accounts or keys, each with the longest span that it reads quickly. */
const broadIntervals: Readonly<Partial<Record<IntervalName, number>>> = {
  '1m': HOUR_MS,
  '1h': 72 * HOUR_MS,
  '1d': 40 * DAY_MS,
  '8d': Number.POSITIVE_INFINITY,
};

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
export function chooseSpan(question: SpanQuestion): TrafficSpan | SpanProblem {
  const { from, to, interval, now } = question;
  if (from >= to) return { param: 'from', message: 'from must be before to.' };
  if (from < firstKeptDay(now))
    return { param: 'from', message: `from must be within the last ${keptDays('day')}.` };
  return interval === undefined ? freeSpan(question) : namedSpan({ from, to, interval, now });
}

/** Chooses the finest interval that has sums and not too many parts. */
function freeSpan({ from, to, isBroad = false, now }: SpanQuestion): TrafficSpan | SpanProblem {
  const spans = intervals
    .filter(({ name }) => !isBroad || to - from <= (broadIntervals[name] ?? 0))
    .map((interval) => spanOf({ from, to }, interval));
  const span = spans.find((each) => isKept(each, now) && countOf(each) <= MAX_FREE) ?? spans.at(-1)!;
  return countOf(span) > MAX_NAMED ? { param: 'to', message: 'to is too far ahead.' } : span;
}

type NamedQuestion = Pick<SpanQuestion, 'from' | 'to' | 'now'> & { interval: NamedInterval };

function namedSpan({ from, to, interval, now }: NamedQuestion): TrafficSpan | SpanProblem {
  const span = spanOf({ from, to }, intervals.find(({ name }) => name === interval)!);
  if (!isKept(span, now))
    return {
      param: 'interval',
      message: `Sums of ${span.step}s are kept for ${keptDays(span.step)}. Choose a longer interval or a later from.`,
    };
  if (countOf(span) > MAX_NAMED)
    return {
      param: 'interval',
      message: `The span has more than ${MAX_NAMED} intervals. Choose a longer interval.`,
    };
  return span;
}

const keptDays = (step: TrafficStep): string => `${trafficSteps[step].keptMs / DAY_MS} days`;

/** Returns the start of the first day of which a moment is within the kept time. */
const firstKeptDay = (now: number): number => Math.floor((now - trafficSteps.day.keptMs) / DAY_MS) * DAY_MS;

function spanOf(
  { from, to }: { from: number; to: number },
  { name: interval, ms: intervalMs }: { name: string; ms: number },
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
