/** Makes an option that takes a text. Help shows the placeholder in place of the text. */
export const textOption = (placeholder: string, summary: string) =>
  ({ kind: 'text', placeholder, summary }) as const;

/** The kind of an option with a whole number of at least 1. The option adds its summary. */
export const countOption = { kind: 'number', integer: true, minimum: 1 } as const;
