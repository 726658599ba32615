import { mergedDays, type TrafficQuestion, trafficSteps } from '../watch/traffic/traffic-store.ts';

/** A part of a question's span, in rows of one step. `length` is the number of the question's steps in that step. */
export type TrafficPart = { step: number; length: number; from: number; to: number };

/** Returns the length of the merged days that suit the intervals and columns of a question, or undefined. */
function suitingDays({ step, cut, from, every, groupBy, where }: TrafficQuestion): number | undefined {
  const days = step === 'day' ? mergedDays[cut]?.days : undefined;
  if (days === undefined) return undefined;
  if (cut !== 'whole' && (groupBy === 'node' || where.node !== undefined)) return undefined;
  return every === null || (from % days === 0 && every % days === 0) ? days : undefined;
}

/** Reports whether merged days can be a part of the answer. */
export function canUseMerged(question: TrafficQuestion): boolean {
  const days = suitingDays(question);
  return days !== undefined && Math.ceil(question.from / days) < Math.floor(question.to / days);
}

/** Splits a question's span: merged days before `mergedTo`, and the days before and after them. */
export function partsOf(question: TrafficQuestion, mergedTo: number): TrafficPart[] {
  const { from, to, cut } = question;
  const own = { step: trafficSteps[question.step].number, length: 1 };
  const days = suitingDays(question);
  if (days === undefined) return [{ ...own, from, to }];
  const first = Math.ceil(from / days);
  const end = Math.floor(Math.min(to, mergedTo) / days);
  if (end <= first) return [{ ...own, from, to }];
  return [
    { ...own, from, to: first * days },
    { step: mergedDays[cut]!.number, length: days, from: first, to: end },
    { ...own, from: end * days, to },
  ].filter((part) => part.from < part.to);
}
