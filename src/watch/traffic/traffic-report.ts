import { keysOf } from '../../base/lib/records.ts';
import { type ArrangedTraffic, arrangeTraffic } from './arrange-traffic.ts';
import { chooseSpan, type SpanProblem, type SpanQuestion, type TrafficSpan } from './choose-span.ts';
import type { TrafficCut } from './traffic-cut.ts';
import type { TrafficColumn, TrafficPlace } from './traffic-figures.ts';
import type { TrafficAnswer, TrafficQuestion } from './traffic-question.ts';
import { type TrafficStep, trafficSteps } from './traffic-step.ts';
import type { TrafficStore } from './traffic-store.ts';

/** A question about traffic, as a reader asks it. */
export type TrafficInquiry = Omit<SpanQuestion, 'now' | 'isBroad'> & {
  groupBy: TrafficColumn | null;
  where: Partial<TrafficPlace>;
  /** True if the span before this one is summed too. */
  withPrevious: boolean;
};

/** The traffic of a span. */
export type Traffic = TrafficSpan & ArrangedTraffic;

/** The most groups of an answer. All other groups are summed. */
const MAX_GROUPS = 100;
/** The most points of an answer with groups. An answer with more intervals has fewer groups. */
const MAX_POINTS = 30_000;
/** Columns that can have very many values. Only their busiest groups are read. */
const COLUMNS_OF_MANY: ReadonlySet<TrafficColumn> = new Set(['account', 'key', 'node']);
/** The columns of the cut `accounts`. */
const ACCOUNT_COLUMNS: ReadonlySet<TrafficColumn> = new Set(['account', 'key', 'node']);

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

  /** Reads the traffic of a span. */
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
    const groups = groupBy ? await this.#busiest({ ...question, groupBy }) : undefined;
    const [answers, previous] = await Promise.all([
      this.#parts.store.readTraffic({ ...question, groups }),
      withPrevious ? this.#previous({ ...question, groups }) : null,
    ]);
    return { ...span, ...arrangeTraffic(span, { answers, previous, isGrouped: groupBy !== null }) };
  }

  /** Returns the busiest groups if there are too many, and otherwise undefined. */
  async #busiest(question: TrafficQuestion & { groupBy: TrafficColumn }): Promise<string[] | undefined> {
    const most = maxGroups(question);
    if (most === MAX_GROUPS && !COLUMNS_OF_MANY.has(question.groupBy)) return undefined;
    const groups = await this.#parts.store.busiestGroups(question, most + 1);
    return groups.length > most ? groups.slice(0, most) : undefined;
  }

  /** Reads the span of equal length before this one. */
  #previous(question: TrafficQuestion): Promise<TrafficAnswer[]> {
    const length = question.to - question.from;
    const { from } = question;
    return this.#parts.store.readTraffic({ ...question, from: from - length, to: from, every: null });
  }
}

/** Returns the question for the store, in steps of the span. */
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

/** Returns the most groups of an answer, which depend on its intervals. */
const maxGroups = ({ from, to, every }: TrafficQuestion): number =>
  Math.min(MAX_GROUPS, Math.floor(MAX_POINTS / Math.ceil((to - from) / (every ?? 1))));

const isOfAccount = (column: string): boolean => column === 'account' || column === 'key';

/** Returns the smallest cut that has the columns. Minutes have no cut of accounts alone. */
function cutFor(step: TrafficStep, columns: readonly TrafficColumn[]): TrafficCut {
  if (!columns.some(isOfAccount)) return 'whole';
  return step !== 'minute' && columns.every((column) => ACCOUNT_COLUMNS.has(column)) ? 'accounts' : 'details';
}
