import type { HostedQuestion } from './hosted-group.ts';

/** The most calls that a request can allow. */
const MAX_CALLS = 500;
/** The most tokens that a request can allow one call. */
export const MAX_TOKENS = 10_000_000;

/** Reads a limit of the request. A value that is not a count is ignored. */
export const readLimit = (value: unknown, max = MAX_CALLS): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? Math.min(value, max) : undefined;

/** Returns the operator's limits, which apply without a limit of the request. */
export function usualLimits({ exchange }: HostedQuestion) {
  const { hosted_tool_calls, hosted_tool_tokens, image_tokens } = exchange.snapshot.config.limits;
  return { calls: hosted_tool_calls, tokens: hosted_tool_tokens, image: image_tokens };
}
