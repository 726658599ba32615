import type { ClientConnections } from '../open-exchange.ts';

/** Stands for the connections of requests that did not come over one. */
export const fromLoopback: ClientConnections = {
  addressOf: () => '127.0.0.1',
  closeWhenIdle: () => {},
  bytesTaken: () => undefined,
  areWatched: () => false,
};
