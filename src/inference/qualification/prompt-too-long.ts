import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { PromptLengths } from '../../base/errors/prompt-lengths.ts';
import { Refusal } from '../../base/errors/refusal.ts';

/**
 * Builds the refusal of a prompt that exceeds the window. Each dialect uses its vendor's own words, since
 * agents and libraries recognise them and shorten the history. `lengths` is undefined if the upstream named
 * none, since the catalog's window can differ from the server's.
 */
export function promptTooLong(style: EnvelopeStyle, lengths: PromptLengths | undefined): Refusal {
  const message = texts[style](lengths);
  return new Refusal('context_length_exceeded', {
    isVerbatim: style === 'messages' && lengths !== undefined,
    message,
  });
}

/** Google's sentence has both lengths. Without them libraries recognise its second half. */
const texts: Record<EnvelopeStyle, (lengths: PromptLengths | undefined) => string> = {
  messages: (lengths) =>
    lengths
      ? `prompt is too long: ${lengths.tokens} tokens > ${lengths.maximum} maximum`
      : 'prompt is too long: it exceeds the context window of this model. Send less of the conversation.',
  openai: (lengths) =>
    lengths
      ? `This model's maximum context length is ${lengths.maximum} tokens. However, your messages resulted in ${lengths.tokens} tokens. Send less of the conversation.`
      : 'Your input exceeds the context window of this model (its maximum context length). Send less of the conversation.',
  google: (lengths) =>
    lengths
      ? `The input token count (${lengths.tokens}) exceeds the maximum number of tokens allowed (${lengths.maximum}). Send less of the conversation.`
      : 'The input exceeds the maximum number of tokens allowed by this model. Send less of the conversation.',
};

/** Builds the same refusal by the gateway's own count. The vendor may count more than the gateway. */
export const longerThanWindow = (
  { contextWindow }: { contextWindow: number },
  { style, tokens }: { style: EnvelopeStyle; tokens: number },
): Refusal => promptTooLong(style, { tokens: Math.max(tokens, contextWindow + 1), maximum: contextWindow });
