import type { Usage } from '../canonical/usage.ts';
import { type Fields, isFields } from '../schema/json-type.ts';
import { formatUsage } from './openai-usage.ts';

/** The usage that a client was promised, where the host's own is not all of it; undefined where it is. */
export function shownUsage(given: unknown, usage: Usage): string | undefined {
  if (!isFields(given) || usage.isEstimated) return JSON.stringify(formatUsage(usage));
  if (isWhole(given)) return undefined;
  const whole = formatUsage(usage);
  const { prompt_tokens, completion_tokens, total_tokens } = whole;
  return JSON.stringify({
    ...whole,
    ...given,
    ...(!addsUp(given) && { prompt_tokens, completion_tokens, total_tokens }),
    prompt_tokens_details: { ...whole.prompt_tokens_details, ...told(given.prompt_tokens_details) },
    completion_tokens_details: {
      ...whole.completion_tokens_details,
      ...told(given.completion_tokens_details),
    },
  });
}

const addsUp = ({ prompt_tokens, completion_tokens, total_tokens }: Fields): boolean =>
  Number.isInteger(prompt_tokens) &&
  Number.isInteger(completion_tokens) &&
  Number(prompt_tokens) + Number(completion_tokens) === total_tokens;

const isWhole = (given: Fields): boolean =>
  addsUp(given) &&
  isFields(given.prompt_tokens_details) &&
  Number.isInteger(given.prompt_tokens_details.cached_tokens) &&
  isFields(given.completion_tokens_details) &&
  Number.isInteger(given.completion_tokens_details.reasoning_tokens);

/** Null says nothing. */
const told = (details: unknown): Fields =>
  isFields(details) ? Object.fromEntries(Object.entries(details).filter(([, count]) => count !== null)) : {};
