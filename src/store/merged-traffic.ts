import type { TrafficQuestion } from '../watch/traffic/traffic-question.ts';
import { type MergedKind, suitingKind } from './merged-kinds.ts';

/**
 * A part of a question's span. `from` and `to` are in steps of the question, or in periods of the merged
 * days.
 */
export type TrafficPart = { merged: MergedKind | null; from: number; to: number };

/** Returns the merged days that can be a part of the answer, or undefined. */
export function usableKind(question: TrafficQuestion): MergedKind | undefined {
  const kind = suitingKind(question);
  return kind && Math.ceil(question.from / kind.days) < Math.floor(question.to / kind.days)
    ? kind
    : undefined;
}

/** Splits a question's span: merged days before `mergedTo`, and the days before and after them. */
export function partsOf(question: TrafficQuestion, mergedTo: number): TrafficPart[] {
  const { from, to } = question;
  const merged = usableKind(question);
  if (!merged) return [{ merged: null, from, to }];
  const first = Math.ceil(from / merged.days);
  const end = Math.floor(Math.min(to, mergedTo) / merged.days);
  if (end <= first) return [{ merged: null, from, to }];
  return [
    { merged: null, from, to: first * merged.days },
    { merged, from: first, to: end },
    { merged: null, from: end * merged.days, to },
  ].filter((part) => part.from < part.to);
}
