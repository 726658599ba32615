import { inputTotal, outputTotal, type Usage, usageOfTotals } from './usage.ts';
import { withinDetail } from './within-detail.ts';

/** The most tokens that one request can have used, for all its prompts and answers together. */
export type UsageBounds = {
  input: number;
  output: number;
  /** The output without the thinking. */
  visible: number;
  /** The output of one piece of work apart from the answer, such as a compaction. */
  separateOutput?: number | undefined;
  /** Input and output together, for a model whose answers are bounded only by its window. */
  together?: number | undefined;
};

/** Returns the usage if it is possible. Otherwise cuts it to the bounds and marks it as estimated. */
export function boundUsage(usage: Usage, bounds: UsageBounds): Usage {
  const { together = Number.POSITIVE_INFINITY } = bounds;
  const reported = inputTotal(usage);
  const input = Math.min(reported, bounds.input);
  // An impossible input does not show how many tokens were left for the output.
  const space = reported >= bounds.input ? together : Math.max(0, together - input);
  const maxOutput = Math.min(bounds.output, space);
  const visible = Math.min(usage.output.visible, bounds.visible, maxOutput);
  const output = Math.min(visible + (usage.output.thinking ?? 0), maxOutput);
  if (input === reported && output === outputTotal(usage)) return usage;
  const { cacheRead, cacheWrite } = usage.input;
  const thinking = usage.output.thinking === undefined ? undefined : output - visible;
  const bounded = usageOfTotals({ input, cacheRead, cacheWrite, output, thinking });
  const { detail, largestInput } = usage;
  return {
    ...bounded,
    isEstimated: true,
    ...(detail && { detail }),
    ...(largestInput !== undefined && { largestInput }),
  };
}

/** The bounds of one answer. They are plain data once `most` has been read. */
export type BillingBounds = {
  usual: UsageBounds;
  /**
   * The bounds for a vendor that runs tools and reads the prompt again after each of them. For other vendors
   * they equal `usual`.
   */
  readonly most: UsageBounds;
};

/** Returns a usage as it is billed. A report beyond the bounds is marked as implausible. */
export function billedWithin(reported: Usage, bounds: BillingBounds): Usage {
  return withinDetail(billedCounts(reported, bounds), () => bounds.most);
}

function billedCounts(reported: Usage, bounds: BillingBounds): Usage {
  if (boundUsage(reported, bounds.usual) === reported) return reported;
  const { most } = bounds;
  const bounded = boundUsage(reported, most);
  return bounded === reported || !isReported(reported, most) ? bounded : { ...bounded, isImplausible: true };
}

/**
 * Reports whether the upstream reported the usage. The gateway's own estimate of an output can exceed its
 * ceiling. An estimated input was already admitted by the same estimate.
 */
const isReported = (reported: Usage, { input }: UsageBounds): boolean =>
  !reported.isEstimated || inputTotal(reported) > input;
