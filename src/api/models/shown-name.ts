const MAX_SHOWN = 80;

/** Returns the name of a model as the message of an error shows it: short, and without control characters. */
export const shownName = (name: string): string => name.replace(/\p{C}/gu, '').slice(0, MAX_SHOWN);
