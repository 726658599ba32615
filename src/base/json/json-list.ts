/** Returns the text of a list whose elements have these texts. */
export const jsonList = (elements: readonly string[]): string => `[${elements.join(',')}]`;
