/**
 * The header from which an endpoint takes its key. `google`: Google's header, or the query parameter `key`.
 */
export type KeyHeader = 'either' | 'x-api-key' | 'bearer' | 'google';

/** `any`: the endpoint is one for the clients of every vendor. */
export type KeyHeaderChoice = KeyHeader | 'any';
