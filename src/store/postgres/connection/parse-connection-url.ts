import {
  type ConnectionParameters,
  connectionParameters,
} from '../../../settings/config/connection-parameters.ts';
import { StoreProblem } from '../../store-problem.ts';
import {
  type ClientCertificate,
  type ConnectionTarget,
  type PostgresHost,
  SSL_MODES,
  type SslMode,
} from './connection-target.ts';

const DEFAULT_PORT = 5432;
const LOOPBACK = /^(?:localhost|127\..*|::1)$/;
const FORM = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?[^#]*)?$/;

/** Reads the URL of a database, which may name several hosts. No error contains the URL. */
export function parseConnectionUrl(url: string): ConnectionTarget {
  const match = FORM.exec(url);
  if (!match)
    throw invalid('the URL of the database is not of the form postgres://user:password@host:port/database');
  const [, login = '', authority = '', path = ''] = match;
  const { parameters, problem } = connectionParameters(url);
  if (problem !== undefined) throw invalid(`the URL of the database ${problem}`);
  const [user, password] = splitOnce(login, ':').map(decode);
  const hostList = authority || parameters.get('host') || 'localhost';
  const ports = parameters.get('port')?.split(',') ?? [];
  const hosts = hostList.split(',').map((host, index) => readHost(host, ports[index] || ports[0]));
  const userName = user || parameters.get('user') || 'postgres';
  const sslRootCert = parameters.get('sslrootcert');
  const sslMode = parameters.get('sslmode') ?? (parameters.has('ssl') ? 'require' : undefined);
  return {
    hosts,
    user: userName,
    password: password || parameters.get('password') || '',
    database: decode(path) || parameters.get('dbname') || userName,
    sslMode: readMode(sslMode, hosts, sslRootCert),
    sslRootCert,
    client: clientOf(parameters),
    applicationName: parameters.get('application_name') ?? 'tollgate',
    options: parameters.get('options'),
    connectTimeoutMs: readTimeout(parameters.get('connect_timeout')),
    prepare: !['false', '0', 'off'].includes(parameters.get('prepare') ?? ''),
  };
}

/** Reads a host. A text without a port gets `port`. */
function readHost(text: string, port: string | undefined): PostgresHost {
  const [, bracketed, plain, portInText] = /^(?:\[([^[\]]+)\]|([^:@[\]]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? decode(plain ?? '');
  const number = Number(portInText ?? port ?? DEFAULT_PORT);
  if (!host || !(number > 0 && number < 65_536))
    throw invalid('the URL of the database has an invalid host or port');
  return { host, port: number };
}

function readMode(
  text: string | undefined,
  hosts: readonly PostgresHost[],
  root: string | undefined,
): SslMode {
  if (text === undefined) return isLocal(hosts) ? 'disable' : 'prefer';
  if (text === 'require' && root !== undefined) return 'verify-ca';
  return SSL_MODES.find((mode) => mode === text) ?? 'prefer';
}

function clientOf(parameters: ConnectionParameters): ClientCertificate | undefined {
  const cert = parameters.get('sslcert');
  const key = parameters.get('sslkey');
  return cert && key ? { cert, key, passphrase: parameters.get('sslpassword') } : undefined;
}

/** Reads a timeout. As in libpq, values of zero and less mean that there is none. */
function readTimeout(text: string | undefined): number | undefined {
  const seconds = Number(text ?? 0);
  return seconds > 0 ? seconds * 1_000 : undefined;
}

const isLocal = (hosts: readonly PostgresHost[]): boolean =>
  hosts.every(({ host }) => host.startsWith('/') || LOOPBACK.test(host));

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('the URL of the database has a % that is not followed by two digits');
  }
}

const invalid = (message: string): StoreProblem =>
  new StoreProblem(
    `${message[0]?.toUpperCase()}${message.slice(1)}`,
    'correct DATABASE_URL or store.database_url',
  );
