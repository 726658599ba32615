import { inputTotal, outputTotal, type Usage, usageOfTotals } from './usage.ts';

/** The most tokens that one request can have used, all its prompts and answers together. */
export type UsageBounds = {
  input: number;
  output: number;
  /** Of the output, what is not thinking. */
  visible: number;
  /** Where a model bounds its answers by nothing but its window: input and output. */
  together?: number | undefined;
};

/** The same usage where it is possible, else as much of it as is, marked as estimated. */
export function boundUsage(usage: Usage, bounds: UsageBounds): Usage {
  const { together = Number.POSITIVE_INFINITY } = bounds;
  const told = inputTotal(usage);
  const input = Math.min(told, bounds.input);
  // An input that cannot be says nothing of the room that it left.
  const room = told >= bounds.input ? together : Math.max(0, together - input);
  const most = Math.min(bounds.output, room);
  const visible = Math.min(usage.output.visible, bounds.visible, most);
  const output = Math.min(visible + (usage.output.thinking ?? 0), most);
  if (input === told && output === outputTotal(usage)) return usage;
  const { cacheRead, cacheWrite } = usage.input;
  const thinking = usage.output.thinking === undefined ? undefined : output - visible;
  return { ...usageOfTotals({ input, cacheRead, cacheWrite, output, thinking }), isEstimated: true };
}

/** The bounds of one answer, as plain data once `most` has been read. */
export type BillingBounds = {
  usual: UsageBounds;
  /** For a vendor that runs tools, and reads the prompt again after each of them; otherwise the same. */
  readonly most: UsageBounds;
};

/** A usage as it is billed. A report beyond the bounds is marked as implausible. */
export function billedWithin(told: Usage, bounds: BillingBounds): Usage {
  if (boundUsage(told, bounds.usual) === told) return told;
  const { most } = bounds;
  const bounded = boundUsage(told, most);
  return bounded === told || !isReported(told, most) ? bounded : { ...bounded, isImplausible: true };
}

/** An output that we estimate may come out longer than its ceiling. An input that we estimate was admitted by that estimate. */
const isReported = (told: Usage, { input }: UsageBounds): boolean =>
  !told.isEstimated || inputTotal(told) > input;
