import { detailOf } from './combine-details.ts';
import { callPrices } from './price-name.ts';
import type { Usage } from './usage.ts';
import type { UsageDetail } from './usage-detail.ts';

/** The most calls of one kind that one request can cause. */
const MAX_CALLS = 500;
/** The most pieces of work apart from an answer that one request can cause. */
const MAX_BESIDE = 64;

/** The most tokens that the input and the output of one piece of work can have. */
type BesideBounds = { input: number; beside?: number | undefined };

const NO_WORK: BesideBounds = { input: 0 };

/**
 * Returns the usage with the possible part of its detail.
 * A detail beyond the bounds is marked as implausible.
 */
export function withinDetail(usage: Usage, bounds: () => BesideBounds): Usage {
  const { detail } = usage;
  if (detail === undefined) return usage;
  const bounded = boundDetail(detail, bounds);
  return bounded === detail ? usage : { ...usage, detail: bounded, isEstimated: true, isImplausible: true };
}

function boundDetail(detail: UsageDetail, bounds: () => BesideBounds): UsageDetail {
  const { counts, beside = [] } = detail;
  const { input: maxInput, beside: maxOutput = maxInput } = beside.length === 0 ? NO_WORK : bounds();
  const isPossible =
    callPrices.every((name) => (counts?.[name] ?? 0) <= MAX_CALLS) &&
    beside.length <= MAX_BESIDE &&
    beside.every(({ input, cachedInput, output }) => input + cachedInput <= maxInput && output <= maxOutput);
  if (isPossible) return detail;
  const calls = callPrices.map((name) => [name, Math.min(counts?.[name] ?? 0, MAX_CALLS)]);
  const cut = beside.slice(0, MAX_BESIDE).map((tokens) => ({
    ...tokens,
    input: Math.min(tokens.input, maxInput),
    cachedInput: Math.min(tokens.cachedInput, maxInput - Math.min(tokens.input, maxInput)),
    output: Math.min(tokens.output, maxOutput),
  }));
  return detailOf({ ...detail, counts: { ...counts, ...Object.fromEntries(calls) }, beside: cut }) ?? {};
}
