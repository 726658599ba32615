/** Makes an option with a text. Help shows the placeholder in place of the text. */
export const text = (placeholder: string, summary: string) =>
  ({ kind: 'text', placeholder, summary }) as const;

/** A whole number of at least 1. The user of this kind adds the summary. */
export const count = { kind: 'number', integer: true, minimum: 1 } as const;
