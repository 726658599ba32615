/** `canceled`: the client left, which says nothing about the provider. `key-refused`: it does not want the key that it was sent. */
export type AttemptOutcome = 'ok' | 'error' | 'timeout' | 'key-refused' | 'canceled';
