import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Model } from '../../settings/catalog/model.ts';

/**
 * Builds the refusal of a prompt that exceeds the window. The messages dialect uses the vendor's own words, since agents recognise them
 * and shorten their history.
 */
export function promptTooLong(
  { id, contextWindow }: Model,
  { style, tokens }: { style: EnvelopeStyle; tokens: number },
): Refusal {
  const shown = Math.max(tokens, contextWindow + 1); // the vendor may have counted more than the gateway
  const figures = `${shown} tokens > ${contextWindow} maximum`;
  return new Refusal('context_length_exceeded', {
    isVerbatim: style === 'messages',
    message:
      style === 'messages'
        ? `prompt is too long: ${figures}`
        : `The prompt is too long for ${id}: ${figures}. Send less of the conversation.`,
  });
}
