import type { ClientConnections } from '../open-exchange.ts';

/** For requests that come over no connection. */
export const fromLoopback: ClientConnections = {
  addressOf: () => '127.0.0.1',
  closeWhenIdle: () => {},
  bytesTaken: () => undefined,
  areWatched: () => false,
};
