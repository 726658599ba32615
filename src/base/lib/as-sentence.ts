/** Ends a message with a full stop, unless it ends as a sentence already. */
export const asSentence = (message: string): string => (/[.?!]$/.test(message) ? message : `${message}.`);
