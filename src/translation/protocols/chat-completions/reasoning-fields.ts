/**
 * The fields in which hosts write thinking and expect it back on a later turn. The name of the field is the
 * thought's replay token, since no host of this protocol signs thoughts.
 */
export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** Not a field: a content item of Mistral's. */
export const THINKING_ITEM = 'thinking';

export const isReasoningField = (name: string): boolean =>
  (reasoningFields as readonly string[]).includes(name) || name === THINKING_ITEM;
