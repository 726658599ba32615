/**
 * The fields in which hosts write thinking and expect it back on a later turn. The name of the field is the
 * thought's replay token, since no host of this protocol signs thoughts.
 */
export const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

export type ReasoningField = (typeof reasoningFields)[number];

/** The type of the content item in which Mistral writes thinking. It is a token like a field's name. */
export const THINKING_ITEM = 'thinking';

const places: ReadonlySet<string> = new Set([...reasoningFields, THINKING_ITEM]);

/** Reports whether a token is the place in which a host writes thinking. */
export const isReasoningPlace = (token: string): token is ReasoningField | typeof THINKING_ITEM =>
  places.has(token);
