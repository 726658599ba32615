/** Which header an endpoint takes its key from. */
export type KeyHeaderChoice = 'either' | 'x-api-key' | 'bearer';
