import type { TrafficQuestion } from '../watch/traffic/traffic-question.ts';
import { type MergedKind, suitingKind } from './merged-kinds.ts';

/** A part of a question's span. */
export type SpanPart =
  /** From one step of the question to another, which is not part of it. */
  | { merged: null; from: number; to: number }
  /** From one period of the merged days to another, which is not part of it. */
  | { merged: MergedKind; from: number; to: number };

/** Returns the merged days that can be a part of the answer, or undefined. */
export function mergedKindFor(question: TrafficQuestion): MergedKind | undefined {
  const kind = suitingKind(question);
  return kind && Math.ceil(question.from / kind.days) < Math.floor(question.to / kind.days)
    ? kind
    : undefined;
}

/** Splits a question's span: merged days before `mergedTo`, and the days before and after them. */
export function splitSpan(question: TrafficQuestion, mergedTo: number): SpanPart[] {
  const { from, to } = question;
  const merged = mergedKindFor(question);
  if (!merged) return [{ merged: null, from, to }];
  const first = Math.ceil(from / merged.days);
  const end = Math.floor(Math.min(to, mergedTo) / merged.days);
  if (end <= first) return [{ merged: null, from, to }];
  const parts: SpanPart[] = [
    { merged: null, from, to: first * merged.days },
    { merged, from: first, to: end },
    { merged: null, from: end * merged.days, to },
  ];
  return parts.filter((part) => part.from < part.to);
}
