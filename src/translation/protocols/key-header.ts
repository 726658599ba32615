/** Which header an endpoint takes its key from. */
export type KeyHeader = 'either' | 'x-api-key' | 'bearer';
