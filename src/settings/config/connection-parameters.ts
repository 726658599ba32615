import { lookUp } from '../../base/lib/records.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';

/** The parameters of libpq that the gateway reads. */
// biome-ignore format: one list in few lines
const READ_NAMES = [
  'host', 'port', 'user', 'password', 'dbname', 'sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey',
  'sslpassword', 'connect_timeout', 'application_name', 'options', 'target_session_attrs', 'prepare',
] as const;
type ReadName = (typeof READ_NAMES)[number];

export type ConnectionParameters = ReadonlyMap<ReadName, string>;

/** The other parameters of libpq, by subject. The gateway has no use for them. */
// biome-ignore format: a line for each subject
const ignoredNames = {
  servers: ['hostaddr', 'load_balance_hosts', 'service', 'servicefile', 'replication', 'requirepeer'],
  session: ['client_encoding', 'fallback_application_name', 'min_protocol_version', 'max_protocol_version'],
  keepAlive: ['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
  passwords: ['passfile', 'require_auth', 'channel_binding', 'scram_client_key', 'scram_server_key'],
  kerberos: ['gssencmode', 'krbsrvname', 'gsslib', 'gssdelegation'],
  oauth: ['oauth_issuer', 'oauth_client_id', 'oauth_client_secret', 'oauth_scope'],
  tls: ['requiressl', 'sslnegotiation', 'sslcompression', 'sslkeylogfile', 'sslcertmode', 'sslsni'],
  certificates: ['sslcrl', 'sslcrldir', 'ssl_min_protocol_version', 'ssl_max_protocol_version'],
} as const;
const IGNORED: ReadonlySet<string> = new Set(Object.values(ignoredNames).flat());

/** The rules for the values of parameters that have one. */
const valueRules: Readonly<Partial<Record<ReadName, { pattern: RegExp; expected: string }>>> = {
  sslmode: {
    pattern: /^(?:disable|allow|prefer|require|verify-ca|verify-full)$/,
    expected: 'disable, allow, prefer, require, verify-ca or verify-full',
  },
  ssl: { pattern: /^true$/, expected: 'true, which means sslmode=require' },
  connect_timeout: { pattern: /^-?\d{1,9}$/, expected: 'a whole number of seconds' },
  target_session_attrs: {
    pattern: /^(?:any|read-write|primary)$/,
    expected: 'any, read-write or primary, since the gateway writes',
  },
};

/** A parameter of the URL. The value is undefined if it cannot be decoded. */
type UrlParameter = { name: string; value: string | undefined };

/** The parameters of a database URL, and the reason to refuse it. */
export type UrlParameters = {
  parameters: ConnectionParameters;
  /** The names of parameters of libpq that have no effect. */
  ignored: string[];
  /** The reason why the URL is refused, without any of its values. Undefined if the URL is valid. */
  problem: string | undefined;
};

/** Reads the parameters after the `?` of a database URL. The last of several with one name counts. */
export function connectionParameters(url: string): UrlParameters {
  const urlParameters = parametersIn(url);
  const parameters = new Map<ReadName, string>();
  for (const { name, value } of urlParameters)
    if (isRead(name) && value !== undefined) parameters.set(name, value);
  const problems = urlParameters.map((parameter) => problemOf(parameter, url));
  const ignored = new Set(urlParameters.map(({ name }) => name).filter((name) => IGNORED.has(name)));
  return {
    parameters,
    ignored: [...ignored],
    problem: problems.find((problem) => problem !== undefined) ?? problemOfPair(parameters),
  };
}

function parametersIn(url: string): UrlParameter[] {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...valueParts] = part.split('=');
      return { name: decode(name) ?? '', value: decode(valueParts.join('=')) };
    });
}

/** Returns undefined for a malformed text, and for one with a zero byte, where Postgres would end it. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

const isRead = (name: string): name is ReadName => READ_NAMES.some((known) => known === name);

function problemOf({ name, value }: UrlParameter, url: string): string | undefined {
  if (!isRead(name) && !IGNORED.has(name)) return `has ${describeUnknown(name, url)}`;
  if (value === undefined) return `has a % in its parameter ${name} that is not followed by two digits`;
  const rule = lookUp(valueRules, name);
  return rule && !rule.pattern.test(value)
    ? `has a parameter ${name} that must be ${rule.expected}`
    : undefined;
}

const problemOfPair = (parameters: ConnectionParameters): string | undefined =>
  parameters.has('sslcert') === parameters.has('sslkey')
    ? undefined
    : 'has one of the parameters sslcert and sslkey, which belong together';

/**
 * Describes an unknown parameter. An unencoded ? in a password starts the parameters too early, so a name is
 * shown only if it cannot be the rest of one.
 */
function describeUnknown(name: string, url: string): string {
  if (url.includes('@', url.indexOf('?')) || !/^[a-z_]{2,40}$/i.test(name))
    return 'an unknown parameter; encode a ? of the password as %3F and an @ as %40';
  return `the parameter ${name}, which is unknown${didYouMean(name, READ_NAMES)}`;
}
