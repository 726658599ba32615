/** The header from which an endpoint takes its key. */
export type KeyHeaderChoice = 'either' | 'x-api-key' | 'bearer';
