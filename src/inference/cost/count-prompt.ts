import { Refusal } from '../../base/errors/refusal.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { CountedModel } from '../../translation/tokens/find-token-family.ts';
import type { CountedPrompt, TokenCounter } from '../../translation/tokens/token-counter.ts';

/** A request whose prompt is counted in the terms of its dialect. */
export type CountedRequest = { dialect: Pick<Dialect, 'codec'>; request: InferenceRequest };

/**
 * Counts a prompt exactly, in the counter's own thread. A request that is not exactly one conversation is
 * counted as its texts and tokens.
 */
export async function countPrompt(
  { dialect, request }: CountedRequest,
  counter: TokenCounter,
  model: CountedModel,
): Promise<CountedPrompt> {
  const isOne = (request.prompts ?? 1) === 1;
  const decoded = request.canonical ?? (isOne ? dialect.codec?.decodeRequest(request.body) : undefined);
  if (decoded && !(decoded instanceof Refusal)) return counter.countPrompt(decoded, model);
  const { prompt, input } = request.body.value;
  const parts = [prompt ?? input].flat(2);
  const texts = parts.filter((part) => typeof part === 'string');
  const tokens = parts.filter((part) => typeof part === 'number').length;
  return { sure: (await counter.countText(texts.join('\n'), model)) + tokens, unsure: 0 };
}
