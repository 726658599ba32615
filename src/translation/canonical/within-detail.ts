import { detailOf } from './combine-details.ts';
import { callPriceNames } from './price-name.ts';
import type { Usage } from './usage.ts';
import type { UsageDetail } from './usage-detail.ts';

/** The most calls of one kind that one request can cause. */
const MAX_CALLS = 500;
/** The most pieces of work apart from an answer that one request can cause. */
const MAX_WORK = 64;

/** The most tokens that the input and the output of one piece of work can have. */
type WorkBounds = { input: number; separateOutput?: number | undefined };

const NO_WORK: WorkBounds = { input: 0 };

/**
 * Returns the usage with the possible part of its detail.
 * A detail beyond the bounds is marked as implausible.
 */
export function withinDetail(usage: Usage, bounds: () => WorkBounds): Usage {
  const { detail } = usage;
  if (detail === undefined) return usage;
  const bounded = boundDetail(detail, bounds);
  return bounded === detail ? usage : { ...usage, detail: bounded, isEstimated: true, isImplausible: true };
}

function boundDetail(detail: UsageDetail, bounds: () => WorkBounds): UsageDetail {
  const { counts, separate = [] } = detail;
  const { input: maxInput, separateOutput: maxOutput = maxInput } =
    separate.length === 0 ? NO_WORK : bounds();
  const isPossible =
    callPriceNames.every((name) => (counts?.[name] ?? 0) <= MAX_CALLS) &&
    separate.length <= MAX_WORK &&
    separate.every(
      ({ input, cachedInput, output }) => input + cachedInput <= maxInput && output <= maxOutput,
    );
  if (isPossible) return detail;
  const calls = callPriceNames.map((name) => [name, Math.min(counts?.[name] ?? 0, MAX_CALLS)]);
  const cut = separate.slice(0, MAX_WORK).map((tokens) => ({
    ...tokens,
    input: Math.min(tokens.input, maxInput),
    cachedInput: Math.min(tokens.cachedInput, maxInput - Math.min(tokens.input, maxInput)),
    output: Math.min(tokens.output, maxOutput),
  }));
  return detailOf({ ...detail, counts: { ...counts, ...Object.fromEntries(calls) }, separate: cut }) ?? {};
}
