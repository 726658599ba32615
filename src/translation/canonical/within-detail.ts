import { callPrices } from './price-name.ts';
import type { Usage } from './usage.ts';
import { detailOf, type UsageDetail } from './usage-detail.ts';

/**
 * The most calls of one kind, and the most pieces of work apart from an answer, that one request can cause.
 */
const MAX_CALLS = 500;
const MAX_BESIDE = 64;

const NOTHING: Most = { input: 0 };
type Most = { input: number; beside?: number | undefined };

/**
 * Returns the usage with the possible part of its detail.
 * A detail beyond the bounds is marked as implausible.
 */
export function withinDetail(usage: Usage, most: () => Most): Usage {
  const { detail } = usage;
  if (detail === undefined) return usage;
  const bounded = boundDetail(detail, most);
  return bounded === detail ? usage : { ...usage, detail: bounded, isEstimated: true, isImplausible: true };
}

function boundDetail(detail: UsageDetail, most: () => Most): UsageDetail {
  const { counts, beside = [] } = detail;
  const { input: space, beside: written = space } = beside.length === 0 ? NOTHING : most();
  const isPossible =
    callPrices.every((name) => (counts?.[name] ?? 0) <= MAX_CALLS) &&
    beside.length <= MAX_BESIDE &&
    beside.every(({ input, cachedInput, output }) => input + cachedInput <= space && output <= written);
  if (isPossible) return detail;
  const calls = callPrices.map((name) => [name, Math.min(counts?.[name] ?? 0, MAX_CALLS)]);
  const cut = beside.slice(0, MAX_BESIDE).map((tokens) => ({
    ...tokens,
    input: Math.min(tokens.input, space),
    cachedInput: Math.min(tokens.cachedInput, space - Math.min(tokens.input, space)),
    output: Math.min(tokens.output, written),
  }));
  return detailOf({ ...detail, counts: { ...counts, ...Object.fromEntries(calls) }, beside: cut }) ?? {};
}
