import { lookUp } from '../../base/lib/records.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';

/** Parameters that the gateway reads. */
// biome-ignore format: a line for each group
const READ = [
  'host', 'port', 'user', 'password', 'dbname', 'sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey',
  'sslpassword', 'connect_timeout', 'application_name', 'options', 'target_session_attrs', 'prepare',
] as const;

export type ConnectionParameters = ReadonlyMap<(typeof READ)[number], string>;

/** Parameters of libpq that the gateway has no use for. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['hostaddr', 'passfile', 'require_auth', 'channel_binding', 'client_encoding', 'replication'],
  ...[
    'fallback_application_name',
    'keepalives',
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
  ],
  ...['tcp_user_timeout', 'gssencmode', 'krbsrvname', 'gsslib', 'gssdelegation', 'service', 'servicefile'],
  ...['sslnegotiation', 'sslcompression', 'sslkeylogfile', 'sslcertmode'],
  ...['sslcrl', 'sslcrldir', 'sslsni', 'requirepeer', 'requiressl', 'load_balance_hosts'],
  ...['ssl_min_protocol_version', 'ssl_max_protocol_version', 'min_protocol_version', 'max_protocol_version'],
  ...['scram_client_key', 'scram_server_key', 'oauth_issuer', 'oauth_client_id', 'oauth_client_secret'],
  ...['oauth_scope'],
]);

const VALUES: Readonly<Record<string, { pattern: RegExp; expected: string }>> = {
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

export type JudgedUrl = {
  parameters: ConnectionParameters;
  /** The names of parameters of libpq that have no effect. */
  ignored: string[];
  /** It is undefined if the parameters are valid. It has no value of the URL. */
  problem: string | undefined;
};

/** Reads the parameters behind the `?` of a database URL. The last of several with one name counts. */
export function connectionParameters(url: string): JudgedUrl {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  const parameters = new Map<string, string>();
  let problem: string | undefined;
  for (const part of query.split('&').filter(Boolean)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part)!.map(decoded);
    parameters.set(name, value);
    problem ??= problemOf(name, value, url);
  }
  if (parameters.has('sslcert') !== parameters.has('sslkey'))
    problem ??= 'has one of the parameters sslcert and sslkey, which belong together';
  const ignored = [...parameters.keys()].filter((name) => IGNORED.has(name));
  return { parameters: parameters as ConnectionParameters, ignored, problem };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = '\0';

function problemOf(name: string, value: string, url: string): string | undefined {
  const isRead = READ.some((one) => one === name);
  if (!isRead && !IGNORED.has(name)) return `has ${unknown(name, url)}`;
  if (value.includes(UNREADABLE))
    return `has a % in its parameter ${name} that is not followed by two digits`;
  const rule = lookUp(VALUES, name);
  return rule && !rule.pattern.test(value)
    ? `has a parameter ${name} that must be ${rule.expected}`
    : undefined;
}

/**
 * An unencoded ? in a password starts the parameters too early.
 * A name is shown only if it cannot be such a rest.
 */
function unknown(name: string, url: string): string {
  if (url.includes('@', url.indexOf('?')) || !/^[a-z_]{2,40}$/i.test(name))
    return 'an unknown parameter; encode a ? of the password as %3F and an @ as %40';
  return `the parameter ${name}, which is unknown${didYouMean(name, READ)}`;
}
