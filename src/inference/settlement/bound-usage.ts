import { inputTotal, outputTotal, type Usage, usageOfTotals } from '../../translation/canonical/usage.ts';

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
