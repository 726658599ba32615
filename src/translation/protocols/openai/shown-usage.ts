import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Usage } from '../../canonical/usage.ts';
import { type ChatUsage, formatUsage } from './openai-usage.ts';
import { showsPrice, withoutPrice } from './shows-price.ts';

/**
 * Returns the usage to show in place of the host's.
 * Returns undefined if the host's usage is complete, equals the billed usage, and shows no price.
 */
export function shownUsage(reported: unknown, usage: Usage): string | undefined {
  const billed = formatUsage(usage);
  if (!isObject(reported) || usage.isEstimated) return JSON.stringify(billed);
  if (showsBilled(reported, billed)) return undefined;
  const { prompt_tokens, completion_tokens, total_tokens, ...details } = billed;
  const { cached_tokens, cache_write_tokens } = details.prompt_tokens_details;
  const { reasoning_tokens } = details.completion_tokens_details;
  return JSON.stringify({
    ...billed,
    ...withoutPrice(reported),
    prompt_tokens,
    completion_tokens,
    total_tokens,
    prompt_tokens_details: {
      ...details.prompt_tokens_details,
      ...withoutNulls(reported.prompt_tokens_details),
      cached_tokens,
      cache_write_tokens,
    },
    completion_tokens_details: {
      ...details.completion_tokens_details,
      ...withoutNulls(reported.completion_tokens_details),
      reasoning_tokens,
    },
  });
}

function showsBilled(reported: Fields, billed: ChatUsage): boolean {
  const { prompt_tokens_details: input, completion_tokens_details: output } = reported;
  if (!isObject(input) || !isObject(output) || showsPrice(reported)) return false;
  const { cache_write_tokens = billed.prompt_tokens_details.cache_write_tokens } = input;
  return (
    reported.prompt_tokens === billed.prompt_tokens &&
    reported.completion_tokens === billed.completion_tokens &&
    reported.total_tokens === billed.total_tokens &&
    input.cached_tokens === billed.prompt_tokens_details.cached_tokens &&
    cache_write_tokens === billed.prompt_tokens_details.cache_write_tokens &&
    output.reasoning_tokens === billed.completion_tokens_details.reasoning_tokens
  );
}

/** Removes null counts, which carry no information. */
const withoutNulls = (details: unknown): Fields =>
  isObject(details) ? Object.fromEntries(Object.entries(details).filter(([, count]) => count !== null)) : {};
