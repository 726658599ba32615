import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export type Endpoint = { host: string; port: number; isTls: boolean };

const TIMEOUT_MS = 5_000;

/** Where a URL leads; undefined when it is none. */
export function endpointOf(address: string, defaultPort?: number): Endpoint | undefined {
  const url = URL.parse(address);
  if (url === null || url.hostname === '') return undefined;
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || defaultPort || (isTls ? 443 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, isTls };
}

/** Opens a connection and closes it again. Resolves to what went wrong, or undefined. */
export function canConnect({ host, port, isTls }: Endpoint): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A name in the handshake must be a name: an address is not allowed there.
    const socket: Socket = isTls
      ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain({ host, port });
    const timer = setTimeout(() => finish(`no answer within ${TIMEOUT_MS / 1_000} s`), TIMEOUT_MS);
    const finish = (problem: string | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    socket.once(isTls ? 'secureConnect' : 'connect', () => finish(undefined));
    socket.on('error', (error: NodeJS.ErrnoException) => finish(reasonOf(error)));
  });
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nobody listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'no answer',
  ECONNRESET: 'the connection was cut',
};

const reasonOf = (error: NodeJS.ErrnoException): string =>
  reasons[error.code ?? ''] ?? error.message.split('\n')[0]!;
