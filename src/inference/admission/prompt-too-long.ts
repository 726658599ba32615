import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Model } from '../../settings/catalog/model.ts';

/** On messages in the vendor's own words, which agents recognise and shorten their history upon. */
export function promptTooLong(
  { id, contextWindow }: Model,
  { style, tokens }: { style: EnvelopeStyle; tokens: number },
): Refusal {
  const shown = Math.max(tokens, contextWindow + 1); // the vendor counted more than we did
  const figures = `${shown} tokens > ${contextWindow} maximum`;
  return new Refusal('context_length_exceeded', {
    message:
      style === 'messages'
        ? `prompt is too long: ${figures}`
        : `The prompt is too long for ${id}: ${figures}. Send less of the conversation.`,
  });
}
