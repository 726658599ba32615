/** A name, an IPv6 address in brackets, or the encoded directory of a socket. */
const POSTGRES_HOST = '(\\[[^@/?#,\\[\\]]+\\]|[^@/?#,:\\[\\]]+)(:[0-9]{1,5})?';

/** The patterns of ids and names in the configuration, with the wording for messages. */
export const namePatterns = {
  brand: {
    pattern: '^[a-z][a-z0-9-]{0,15}$',
    expected: 'a letter, then at most 15 letters, digits and dashes, all in lower case',
  },
  providerId: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    expected: 'an id of letters, digits, dots, dashes and underscores',
  },
  modelId: {
    pattern: '^(@[a-z0-9-]+/)?[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$',
    expected: "a model id like 'gpt-5.5' or '@svc/qwen3-32b'",
  },
  modelName: {
    pattern: '^@?[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$',
    expected: 'a model name without spaces',
  },
  headerName: { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$", expected: 'the name of an HTTP header' },
  path: { pattern: '^/[^\\s#]{0,500}$', expected: "a path like '/models'" },
  queryName: { pattern: '^[A-Za-z0-9._~$-]{1,128}$', expected: 'the name of a query parameter' },
  // The gateway sets the excluded headers itself, or they belong to the connection.
  forwardedHeader: {
    pattern:
      "^(?!(?:authorization|x-api-key|x-goog-api-key|api-key|cookie|host|connection|content-.*|transfer-encoding|accept-encoding|te|upgrade|x-amz-.*)$)[a-z0-9!#$%&'*+.^_`|~-]{1,128}$",
    expected:
      'the name of an HTTP header in lower case, and not a header for keys, content or the connection',
  },
  awsRegion: { pattern: '^[a-z]{2,4}(-[a-z]+)+-[0-9]{1,2}$', expected: "a region like 'eu-west-1'" },
  // A header must not contain other characters. Every call with one would fail.
  headerValue: {
    pattern: '^[\\u0020-\\u007e\\u00a0-\\u00ff]*$',
    expected: 'one line of ASCII or Latin-1 characters',
  },
  googleProject: { pattern: '^[a-z0-9][a-z0-9.:-]{0,100}$', expected: 'the id or the number of a project' },
  googleRegion: {
    pattern: '^[a-z][a-z0-9-]{1,40}$',
    expected: 'a region such as europe-west1, or global',
  },
  secret: {
    pattern: '^[\\u0021-\\u007e\\u00a1-\\u00ff]*$',
    expected: 'one word of ASCII or Latin-1 characters, without spaces or line breaks',
  },
  host: { pattern: '^[A-Za-z0-9._:%-]+$', expected: 'an IP address or a host name' },
  listenAddress: {
    pattern: '^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.%]+\\]):[0-9]{1,5}$',
    expected: "an address and a port like '127.0.0.1:9090'",
  },
  webAddress: {
    pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?$',
    expected: 'an http or https URL without credentials, query or fragment',
  },
  webhookAddress: {
    pattern: '^https?://[^\\s/?#@]+([/?][^\\s#]*)?$',
    expected: 'an http or https URL without credentials or fragment',
  },
  calendarDate: { pattern: '^\\d{4}-\\d{2}-\\d{2}$', expected: 'a date of the form 2027-06-30' },
  secureWebAddress: {
    pattern: '^https://[^\\s/?#@]+([/?#]\\S*)?$',
    expected: 'an https URL without credentials',
  },
  contactAddress: {
    pattern: '^(mailto:[^\\s@]+@[^\\s@]+|https://[^\\s/?#@]+([/?#]\\S*)?|tel:\\+[0-9-]+)$',
    expected: 'a mailto:, https: or tel: address',
  },
  origin: {
    pattern: '^(\\*|https?://[^\\s/?#@]+)$',
    expected: "an origin like 'https://app.example.com', or '*'",
  },
  postgresUrl: {
    pattern: `^postgres(ql)?://([^@/?#]*@)?(${POSTGRES_HOST}(,${POSTGRES_HOST})*)?([/?].*)?$`,
    expected: 'a URL of the form postgres://user:password@host:port/database',
  },
} as const satisfies Record<string, { pattern: string; expected: string }>;
