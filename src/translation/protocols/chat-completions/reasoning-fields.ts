/**
 * Where hosts write what a model thinks; the same field takes it back on a later turn. A thought's replay token is the name of the field:
 * no host of this protocol signs thoughts, but each wants them where it put them.
 */
export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** No field, but an item of Mistral's content. */
export const THINKING_ITEM = 'thinking';

export const isReasoningField = (name: string): boolean =>
  (reasoningFields as readonly string[]).includes(name) || name === THINKING_ITEM;
