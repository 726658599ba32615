/**
 * The header that carries the client's address to the library.
 * No client can set it, since calls have headers of their own.
 */
export const ADDRESS_HEADER = 'x-client-address';
