import { keysOf } from '../../base/lib/records.ts';
import { chooseSpan, type SpanProblem, type SpanQuestion, type TrafficSpan } from './choose-span.ts';
import { mergeLatencies } from './latency-buckets.ts';
import type { TrafficCut } from './traffic-cut.ts';
import {
  addCounts,
  noSums,
  type TrafficColumn,
  type TrafficPlace,
  type TrafficSums,
} from './traffic-figures.ts';
import { OTHER_GROUPS, type TrafficAnswer, type TrafficQuestion } from './traffic-question.ts';
import { type TrafficStep, trafficSteps } from './traffic-step.ts';
import type { TrafficStore } from './traffic-store.ts';

export type TrafficInquiry = Omit<SpanQuestion, 'now' | 'isBroad'> & {
  groupBy: TrafficColumn | null;
  where: Partial<TrafficPlace>;
  /** Also sums the span before. */
  withPrevious: boolean;
};

/** `group` is null without a grouping. Groups are ordered by their requests, the busiest first. */
export type TrafficPoint = TrafficSums & { start: number; group: string | null };
/** The sums of a group in the whole span, and in the span before if that was asked for. */
export type TrafficGroup = { group: string; sums: TrafficSums; previous: TrafficSums | null };
export type Traffic = TrafficSpan & {
  totals: TrafficSums;
  previous: TrafficSums | null;
  points: TrafficPoint[];
  groups: TrafficGroup[];
};

/** The most groups of an answer. The others are summed. */
export const MAX_GROUPS = 100;
/** Columns that can have very many values. Of their groups, only the busiest are read. */
const COLUMNS_OF_MANY: ReadonlySet<TrafficColumn> = new Set(['account', 'key', 'node']);

type ReportParts = {
  store: Pick<TrafficStore, 'readTraffic' | 'busiestGroups'>;
  now(): number;
};

/** Answers questions about traffic from sums alone. */
export class TrafficReport {
  readonly #parts: ReportParts;

  constructor(parts: ReportParts) {
    this.#parts = parts;
  }

  /** The time of the store's clock, in milliseconds. */
  now(): number {
    return this.#parts.now();
  }

  async read({
    groupBy,
    where,
    withPrevious,
    ...spanOptions
  }: TrafficInquiry): Promise<Traffic | SpanProblem> {
    const columns = groupBy ? [groupBy] : [];
    const isBroad = where.account === undefined && [...columns, ...Object.keys(where)].some(isOfAccount);
    const span = chooseSpan({ ...spanOptions, isBroad, now: this.#parts.now() });
    if ('message' in span) return span;
    const question = questionOf(span, { groupBy, where });
    const groups =
      groupBy && COLUMNS_OF_MANY.has(groupBy) ? await this.#busiest({ ...question, groupBy }) : undefined;
    const [answers, previous] = await Promise.all([
      this.#parts.store.readTraffic({ ...question, groups }),
      withPrevious ? this.#previous({ ...question, groups }) : null,
    ]);
    const order = groupBy ? groupsOf(answers) : [];
    return {
      ...span,
      totals: sumOf(answers),
      previous: previous && sumOf(previous),
      points: pointsOf(span, answers, groupBy ? order : [null]),
      groups: order.map((group) => ({
        group,
        sums: sumOf(answers.filter((answer) => answer.group === group)),
        previous: previous && sumOf(previous.filter((answer) => answer.group === group)),
      })),
    };
  }

  /** Returns the busiest groups if there are too many, and otherwise undefined. */
  async #busiest(question: TrafficQuestion & { groupBy: TrafficColumn }): Promise<string[] | undefined> {
    const groups = await this.#parts.store.busiestGroups(question, MAX_GROUPS + 1);
    return groups.length > MAX_GROUPS ? groups.slice(0, MAX_GROUPS) : undefined;
  }

  /** Reads the equal span before. */
  #previous(question: TrafficQuestion): Promise<TrafficAnswer[]> {
    const length = question.to - question.from;
    const { from } = question;
    return this.#parts.store.readTraffic({ ...question, from: from - length, to: from, every: null });
  }
}

function questionOf(
  { from, to, intervalMs, step }: TrafficSpan,
  { groupBy, where }: Pick<TrafficInquiry, 'groupBy' | 'where'>,
): TrafficQuestion {
  const { ms } = trafficSteps[step];
  const columns = [...keysOf(where), ...(groupBy ? [groupBy] : [])];
  return {
    step,
    cut: cutFor(step, columns),
    from: from / ms,
    to: to / ms,
    every: intervalMs / ms,
    groupBy,
    where,
  };
}

const isOfAccount = (column: string): boolean => column === 'account' || column === 'key';

/** The columns of the cut `accounts`. */
const ACCOUNT_COLUMNS: ReadonlySet<TrafficColumn> = new Set(['account', 'key', 'node']);

/** Returns the smallest cut that has the columns. Minutes have no cut of accounts alone. */
function cutFor(step: TrafficStep, columns: readonly TrafficColumn[]): TrafficCut {
  if (!columns.some(isOfAccount)) return 'whole';
  return step !== 'minute' && columns.every((column) => ACCOUNT_COLUMNS.has(column)) ? 'accounts' : 'details';
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

/**
 * Groups with the same number of requests, such as providers that only failed, are ordered by their calls.
 */
const CALL_WEIGHT = 1 / 1_000_000;

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
