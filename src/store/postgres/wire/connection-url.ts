import { StoreProblem } from '../../store-problem.ts';

/** `prefer` and `require` encrypt without a check of the certificate, as libpq does without a root certificate. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

const DEFAULT_PORT = 5432;
const LOOPBACK = /^(?:localhost|127\..*|::1)$/;

/** Where one server listens. A host that begins with a slash is the directory of a Unix socket. */
export type PostgresHost = {
  host: string;
  port: number;
  /** One of the host's addresses. */
  address?: string;
};

export type ConnectionTarget = {
  /** They are tried in turn until one accepts writes. */
  hosts: readonly PostgresHost[];
  user: string;
  password: string;
  database: string;
  sslMode: SslMode;
  /** A file of certificates that may sign that of the server. */
  sslRootCert: string | undefined;
  applicationName: string;
  /** False: statements are parsed each time, for a PgBouncer before version 1.21. */
  prepare: boolean;
};

const FORM = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** Reads the URL of a database, which may name several hosts. No error contains the URL. */
export function parseConnectionUrl(url: string): ConnectionTarget {
  const match = FORM.exec(url);
  if (!match)
    throw invalid('the URL of the database is not of the form postgres://user:password@host:port/database');
  const [, login = '', authority = '', path = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const [user, password] = splitOnce(login, ':').map(decode);
  const given = authority || parameters.get('host') || 'localhost';
  const hosts = given.split(',').map((one) => readHost(one, parameters.get('port')));
  const name = user || parameters.get('user') || 'postgres';
  const sslRootCert = parameters.get('sslrootcert') ?? undefined;
  return {
    hosts,
    user: name,
    password: password || parameters.get('password') || '',
    database: decode(path) || parameters.get('dbname') || name,
    sslMode: readMode(parameters.get('sslmode'), hosts, sslRootCert),
    sslRootCert,
    applicationName: parameters.get('application_name') ?? 'tollgate',
    prepare: !['false', '0', 'off'].includes(parameters.get('prepare') ?? ''),
  };
}

/** The URL as operators may see it. */
export function withoutPassword(url: string): string {
  return url
    .replace(/^(postgres(?:ql)?:\/\/)([^@/?#:]*):[^@/?#]*@/, '$1$2@')
    .replace(/([?&]password=)[^&#]*/g, '$1…');
}

/** Says where a target is, for error messages. */
export const placeOf = ({ host, port }: PostgresHost): string =>
  host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;

function readHost(text: string, port: string | null): PostgresHost {
  const [, bracketed, plain, own] = /^(?:\[([^[\]]+)\]|([^:@[\]]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? decode(plain ?? '');
  const number = Number(own ?? port?.split(',')[0] ?? DEFAULT_PORT);
  if (!host || !(number > 0 && number < 65_536))
    throw invalid('the URL of the database has an invalid host or port');
  return { host, port: number };
}

function readMode(text: string | null, hosts: readonly PostgresHost[], root: string | undefined): SslMode {
  const mode = text === 'allow' ? 'prefer' : text;
  if (mode === null) return isLocal(hosts) ? 'disable' : 'prefer';
  const known = SSL_MODES.find((one) => one === mode);
  if (!known) throw invalid(`the sslmode of the database's URL must be one of ${SSL_MODES.join(', ')}`);
  return known === 'require' && root !== undefined ? 'verify-ca' : known;
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
