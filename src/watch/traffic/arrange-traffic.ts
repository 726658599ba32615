import type { TrafficSpan } from './choose-span.ts';
import { mergeLatencies } from './latency-buckets.ts';
import { addCounts, noSums, type TrafficSums } from './traffic-figures.ts';
import { OTHER_GROUPS, type TrafficAnswer } from './traffic-question.ts';

/** The sums of an interval. `group` is null without a grouping. */
export type TrafficPoint = TrafficSums & { start: number; group: string | null };

/** The sums of a group in the whole span, and in the span before it if the reader asked for both. */
export type TrafficGroup = { group: string; sums: TrafficSums; previous: TrafficSums | null };

/** The sums of a span, in total, by interval and by group. */
export type ArrangedTraffic = {
  totals: TrafficSums;
  previous: TrafficSums | null;
  points: TrafficPoint[];
  groups: TrafficGroup[];
};

/**
 * Groups with the same number of requests, such as providers that only failed, are ordered by their calls.
 */
const CALL_WEIGHT = 1 / 1_000_000;

type TrafficAnswers = {
  answers: readonly TrafficAnswer[];
  /** The answers about the span before. */
  previous: readonly TrafficAnswer[] | null;
  isGrouped: boolean;
};

/**
 * Arranges the answers of the store about a span. Groups are ordered by their requests, the busiest first.
 */
export function arrangeTraffic(
  span: TrafficSpan,
  { answers, previous, isGrouped }: TrafficAnswers,
): ArrangedTraffic {
  const groups = isGrouped ? groupsOf(answers) : [];
  return {
    totals: sumOf(answers),
    previous: previous && sumOf(previous),
    points: pointsOf(span, answers, isGrouped ? groups : [null]),
    groups: groups.map((group) => ({
      group,
      sums: sumOf(answers.filter((answer) => answer.group === group)),
      previous: previous && sumOf(previous.filter((answer) => answer.group === group)),
    })),
  };
}

function sumOf(answers: readonly TrafficSums[]): TrafficSums {
  const sum = noSums();
  for (const answer of answers) addSums(sum, answer);
  return sum;
}

function addSums(into: TrafficSums, { counts, latency, firstToken }: TrafficSums): void {
  addCounts(into.counts, counts);
  mergeLatencies(into.latency, latency);
  mergeLatencies(into.firstToken, firstToken);
}

/** Returns a point for each interval of each group, even if it has no requests. */
function pointsOf(
  { from, to, intervalMs }: TrafficSpan,
  answers: readonly TrafficAnswer[],
  groups: readonly (string | null)[],
): TrafficPoint[] {
  const answersByPlace = new Map(answers.map((answer) => [`${answer.interval} ${answer.group}`, answer]));
  const points: TrafficPoint[] = [];
  for (let interval = 0; from + interval * intervalMs < to; interval++) {
    const start = from + interval * intervalMs;
    for (const group of groups)
      points.push({ start, ...(answersByPlace.get(`${interval} ${group}`) ?? noSums()), group });
  }
  return points;
}

/** Returns the groups, the busiest first. The sum of all other groups comes last. */
function groupsOf(answers: readonly TrafficAnswer[]): string[] {
  const weights = new Map<string, number>();
  for (const { group, counts } of answers)
    if (group !== null)
      weights.set(group, (weights.get(group) ?? 0) + counts.requests + counts.attempts * CALL_WEIGHT);
  const isSum = (group: string): number => Number(group === OTHER_GROUPS);
  return [...weights]
    .sort(([one, weight], [other, otherWeight]) => isSum(one) - isSum(other) || otherWeight - weight)
    .map(([group]) => group);
}
