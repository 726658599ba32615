import { Refusal } from '../errors/refusal.ts';
import { estimateBody } from '../tokens/estimate-body.ts';
import { tokenFamily } from '../tokens/token-family.ts';
import { countedAs } from './counted-as.ts';
import type { Fitting } from './fit-request.ts';

/** A token is a byte of UTF-8 at least, and a UTF-16 unit is three of them at most. */
const MOST_TOKENS_PER_UNIT = 3;
/** Estimates further from the limit than this, in parts of it, need no counting. */
const ESTIMATE_MARGIN = 0.5;

export type PromptLimit = Pick<Fitting, 'entry' | 'body' | 'count'> & { limit: number };

/** Whether the prompt is longer than the plan takes: from its length alone, else by estimate, and near the limit exactly. */
export function exceedsPlan({ entry, body, count, limit }: PromptLimit): boolean | Promise<boolean> {
  if (body.text.length * MOST_TOKENS_PER_UNIT <= limit) return false;
  const counted = countedAs(entry);
  const { likely } = estimateBody(body, tokenFamily(counted));
  if (likely < limit * (1 - ESTIMATE_MARGIN)) return false;
  if (likely > limit * (1 + ESTIMATE_MARGIN)) return true;
  return count(counted).then((prompt) => (prompt ? prompt.sure + prompt.unsure : likely) > limit);
}

export const exceedsPlanRefusal = (displayName: string, limit: number): Refusal =>
  new Refusal('input_exceeds_plan', {
    message: `The prompt is longer than the ${displayName} plan's ${limit.toLocaleString('en-US')} tokens. Shorten it, or choose another plan.`,
  });
