import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Model } from '../../settings/catalog/model.ts';

/** `maximum`: as the upstream named it. Undefined: the window of the model. */
type PromptLength = { style: EnvelopeStyle; tokens: number; maximum?: number | undefined };

/**
 * Builds the refusal of a prompt that exceeds the window. Each dialect uses its vendor's own words, since agents and libraries recognise
 * them and shorten the history.
 */
export function promptTooLong(
  { contextWindow }: Model,
  { style, tokens, maximum = contextWindow }: PromptLength,
): Refusal {
  const shown = Math.max(tokens, maximum + 1); // the vendor may have counted more than the gateway
  return new Refusal('context_length_exceeded', {
    isVerbatim: style === 'messages',
    message:
      style === 'messages'
        ? `prompt is too long: ${shown} tokens > ${maximum} maximum`
        : `This model's maximum context length is ${maximum} tokens. However, your messages resulted in ${shown} tokens. Send less of the conversation.`,
  });
}
