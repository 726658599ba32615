/**
 * A host with an optional port. The length of the host is bounded, since the addresses in the gateway's pages
 * contain it.
 */
const HOST = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._~%-]{1,255})(:\d{1,5})?$/;

/** Reports whether a text is a host name or an address, with or without a port. */
export const isHost = (text: string): boolean => HOST.test(text);
