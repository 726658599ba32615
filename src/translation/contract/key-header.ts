/** The header from which an endpoint takes its key. `google`: Google's header, or the query parameter `key`. */
export type KeyHeaderChoice = 'either' | 'x-api-key' | 'bearer' | 'google';
