import { Refusal } from '../../base/errors/refusal.ts';
import { estimateBody } from '../../translation/tokens/estimate-body.ts';
import type { Fitting } from './fit-request.ts';

export type PromptLimit = Pick<Fitting, 'entry' | 'body' | 'count'> & { limit: number };

/**
 * Reports whether the prompt exceeds the plan's limit. A token covers at least one byte, so a body with fewer bytes than the limit
 * passes. A prompt whose lower estimate exceeds the limit fails. Any other prompt is counted, since no estimate is reliable for every
 * text.
 */
export function exceedsPlan({ entry, body, count, limit }: PromptLimit): boolean | Promise<boolean> {
  if (body.text.length <= limit && Buffer.byteLength(body.text) <= limit) return false;
  const { likely, least } = estimateBody(body, entry.family);
  if (least > limit) return true;
  return count(entry.counted).then((prompt) => (prompt ? prompt.sure + prompt.unsure : likely) > limit);
}

export const exceedsPlanRefusal = (displayName: string, limit: number): Refusal =>
  new Refusal('input_exceeds_plan', {
    message: `The prompt is longer than the ${displayName} plan's ${limit.toLocaleString('en-US')} tokens. Shorten it, or choose another plan.`,
  });
