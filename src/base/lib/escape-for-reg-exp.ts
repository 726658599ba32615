/** Returns the source of a regular expression that matches exactly this text. */
export const escapeForRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
