import { addDetails, mergeDetails } from './combine-details.ts';
import type { UsageDetail } from './usage-detail.ts';

/**
 * Disjoint counts: each token is in exactly one field, so price × count sums without correction. `undefined`
 * means the upstream did not report it; 0 means it reported none.
 */
export type Usage = {
  input: { uncached: number; cacheRead?: number | undefined; cacheWrite?: number | undefined };
  output: { visible: number; thinking?: number | undefined };
  /** The gateway counted the tokens, because the upstream did not. */
  isEstimated?: boolean;
  /** The upstream reported more than the request can have used. These counts are the possible maximum. */
  isImplausible?: boolean;
  /** The input of the largest answer, if the counts are those of several calls. */
  largestInput?: number;
  /** Usage beyond these counts. Most answers have no such usage. */
  detail?: UsageDetail | undefined;
};

/** The usage of an answer for which nothing was counted. */
export const NO_USAGE: Usage = { input: { uncached: 0 }, output: { visible: 0 } };

/**
 * More tokens than a request can use, even with ten of the largest windows. A larger report is not a count.
 */
export const MAX_TOKENS = 100_000_000;

/** Ranks a count that was not reported below 0. */
const UNREPORTED = -1;

/** Returns all input tokens, cached or not. */
export const inputTotal = ({ input }: Usage): number =>
  input.uncached + (input.cacheRead ?? 0) + (input.cacheWrite ?? 0);

/** Returns all output tokens, shown or not. */
export const outputTotal = ({ output }: Usage): number => output.visible + (output.thinking ?? 0);

/** Adds the usage of two answers to one request. Members that neither reported stay unreported. */
export function addUsage(one: Usage, other: Usage): Usage {
  const detail = addDetails(one.detail, other.detail);
  const add = (a?: number, b?: number) =>
    a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
  return {
    input: {
      uncached: one.input.uncached + other.input.uncached,
      cacheRead: add(one.input.cacheRead, other.input.cacheRead),
      cacheWrite: add(one.input.cacheWrite, other.input.cacheWrite),
    },
    output: {
      visible: one.output.visible + other.output.visible,
      thinking: add(one.output.thinking, other.output.thinking),
    },
    ...((one.isEstimated || other.isEstimated) && { isEstimated: true }),
    largestInput: Math.max(one.largestInput ?? inputTotal(one), other.largestInput ?? inputTotal(other)),
    ...(detail && { detail }),
  };
}

/** Totals and the parts included in them, as most vendors report. A part is never more than its total. */
type UsageTotals = {
  input: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  output: number;
  thinking?: number | undefined;
};

const atMost = (count: number | undefined, limit: number): number | undefined =>
  count === undefined ? undefined : Math.min(count, limit);

/** Converts totals and their parts into disjoint counts. A part that exceeds its total is cut to it. */
export function usageOfTotals({ input, output, ...parts }: UsageTotals): Usage {
  const cacheRead = atMost(parts.cacheRead, input);
  const cacheWrite = atMost(parts.cacheWrite, input - (cacheRead ?? 0));
  const thinking = atMost(parts.thinking, output);
  return {
    input: { uncached: input - (cacheRead ?? 0) - (cacheWrite ?? 0), cacheRead, cacheWrite },
    output: { visible: output - (thinking ?? 0), thinking },
  };
}

/**
 * Merges two cumulative reports of one answer. The result has the larger of each total, and of the thinking.
 * The cache fields come from one report, because a vendor may divide the same input differently later. They
 * come from the report that read more from the cache, which is never the more expensive one.
 */
export function laterUsage(earlier: Usage | undefined, reported: Usage): Usage {
  if (earlier === undefined) return reported;
  const { cacheRead, cacheWrite } = hasReadMore(earlier.input, reported.input)
    ? earlier.input
    : reported.input;
  const detail = mergeDetails(earlier.detail, reported.detail);
  const merged = usageOfTotals({
    input: Math.max(inputTotal(earlier), inputTotal(reported)),
    cacheRead,
    cacheWrite,
    output: Math.max(outputTotal(earlier), outputTotal(reported)),
    thinking: larger(earlier.output.thinking, reported.output.thinking),
  });
  if (detail) merged.detail = detail;
  return earlier.isEstimated || reported.isEstimated ? { ...merged, isEstimated: true } : merged;
}

/** Adds an answer to the same prompt, which both reports count. */
export function addAnswer(one: Usage, other: Usage): Usage {
  const { visible, thinking } = other.output;
  const output = {
    visible: one.output.visible + visible,
    thinking: thinking === undefined ? one.output.thinking : (one.output.thinking ?? 0) + thinking,
  };
  return { ...laterUsage(one, other), output };
}

function hasReadMore(one: Usage['input'], other: Usage['input']): boolean {
  const more = (one.cacheRead ?? UNREPORTED) - (other.cacheRead ?? UNREPORTED);
  return more > 0 || (more === 0 && (one.cacheWrite ?? UNREPORTED) > (other.cacheWrite ?? UNREPORTED));
}

const larger = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
