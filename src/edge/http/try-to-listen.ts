import { createServer } from 'node:net';

/** The runtime gives no code for a name that it cannot resolve. */
const UNKNOWN_NAME = 'ENOTFOUND';

/**
 * Binds an address alone and releases it at once. Resolves to the code of the failure, or to undefined if the
 * address is free.
 */
export function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', ({ code = UNKNOWN_NAME }: NodeJS.ErrnoException) => done(code));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}
