import type { ClientConnections } from '../open-exchange.ts';

/** Connections that all come from the loopback address, for requests without a real connection. */
export const fromLoopback: ClientConnections = {
  addressOf: () => '127.0.0.1',
  closeWhenIdle: () => {},
  bytesTaken: () => undefined,
  areWatched: () => false,
  upgrade: () => false,
};
