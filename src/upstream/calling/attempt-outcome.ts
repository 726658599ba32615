/**
 * The outcome of one attempt. `canceled`: the client left, which says nothing about the provider.
 * `key-refused`: the provider refused the key.
 */
export type AttemptOutcome = 'ok' | 'error' | 'timeout' | 'key-refused' | 'canceled';
