const MAX_CHARACTERS = 80;

/** Returns the name of an unknown model as messages quote it: short, and without control characters. */
export const quotedName = (name: string): string => name.replace(/\p{C}/gu, '').slice(0, MAX_CHARACTERS);
