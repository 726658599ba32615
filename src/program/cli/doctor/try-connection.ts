import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { lookUp } from '../../../base/lib/records.ts';
import { isCertificateFault } from '../../../upstream/calling/provider-fault.ts';

export type Endpoint = { host: string; port: number; isTls: boolean };

const TIMEOUT_MS = 5_000;

/** The wording for each code of the operating system. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the name lookup failed',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no answer',
  ECONNRESET: 'the connection was reset',
};

/** Returns the endpoint of a URL, or undefined if the text is not a URL with a host. */
export function endpointOf(address: string): Endpoint | undefined {
  const url = URL.parse(address);
  if (url === null || url.hostname === '') return undefined;
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, isTls };
}

export type ConnectProblem = { reason: string; isOfCertificate: boolean };

/** Opens and closes a connection. Resolves to the problem, or to undefined on success. */
export function tryConnection({ host, port, isTls }: Endpoint): Promise<ConnectProblem | undefined> {
  return new Promise((resolve) => {
    // The server name of a TLS handshake must not be an IP address.
    const socket: Socket = isTls
      ? connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain({ host, port });
    const timer = setTimeout(
      () => finish({ reason: `no answer within ${TIMEOUT_MS / 1_000} s`, isOfCertificate: false }),
      TIMEOUT_MS,
    );
    const finish = (problem?: ConnectProblem): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    };
    socket.once(isTls ? 'secureConnect' : 'connect', () => finish());
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish({ reason: reasonOf(error), isOfCertificate: isCertificateFault(error) }),
    );
  });
}

const reasonOf = (error: NodeJS.ErrnoException): string =>
  lookUp(reasons, error.code) ?? error.message.split('\n')[0]!;
