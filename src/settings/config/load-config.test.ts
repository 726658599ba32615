// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { afterAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asSentence } from '../../base/lib/as-sentence.ts';
import { buildPlans } from '../plans/build-plans.ts';
import { builtinPlans, planIds } from '../plans/plan.ts';
import { formatProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { loadConfig, parseConfig } from './load-config.ts';
import { planFigureSchemas } from './plan-schema.ts';

const folder = await mkdtemp(join(tmpdir(), 'tollgate-config-'));
afterAll(() => rm(folder, { recursive: true }));

type Variables = Record<string, string>;

const problemsOf = (text: string, environment: Variables = {}): string[] => {
  const loaded = parseConfig({ text, file: 'tollgate.yaml', environment });
  return 'problems' in loaded ? loaded.problems.map(formatProblem) : [];
};

function configOf(text: string, environment: Variables = {}): Config {
  const loaded = parseConfig({ text, file: 'tollgate.yaml', environment });
  if ('problems' in loaded) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  return loaded.config;
}

const defaults = configOf('');
const provider = (fields: string): string =>
  `providers:\n  - id: local\n    base_url: http://127.0.0.1:1/v1\n    ${fields}\n`;
const price = 'pricing_usd_per_mtok: { input: 1, output: 1 }';
const model = (fields: string): string =>
  `catalog:\n  models:\n    - { id: m, context_window: 10, ${price}, ${fields} }\n`;

const wrong: [name: string, text: string, expected: string[]][] = [
  [
    'unknown fields',
    'sever: {}\nserver:\n  prot: 1\n',
    [
      "tollgate.yaml:1:1 sever: is not a known field; did you mean 'server'?",
      "tollgate.yaml:3:3 server.prot: is not a known field; did you mean 'port'?",
    ],
  ],
  [
    'an invalid type',
    'server:\n  port: many\n',
    ['tollgate.yaml:2:3 server.port: must be an integer, not a string; the number is a TCP port'],
  ],
  [
    'an unknown choice',
    provider('wire: openai'),
    [
      'tollgate.yaml:4:5 providers[0].wire: must be openai-chat, openai-responses, openai-completions, ' +
        'openai-embeddings, openai-images, openai-audio, openai-moderations, cohere-rerank, ' +
        'anthropic-messages, google-generate, google-interactions, google-embeddings, bedrock-converse or null, ' +
        "not 'openai'",
    ],
  ],
  [
    'no wire',
    provider('headers: {}'),
    ['tollgate.yaml:2:5 providers[0].wire: is required (or `wires` for several protocols)'],
  ],
  [
    'both `wire` and `wires`',
    provider('wire: openai-chat\n    wires: [openai-chat]'),
    ['tollgate.yaml:5:5 providers[0].wires: cannot be combined with `wire`; use one of the two'],
  ],
  [
    'AWS credentials without a region',
    provider('wire: bedrock-converse\n    aws: { access_key_id: a, secret_access_key: b }'),
    ['tollgate.yaml:5:5 providers[0].aws.region: is required, since base_url contains no region'],
  ],
  [
    'AWS credentials without a secret',
    provider('wire: bedrock-converse\n    aws: { access_key_id: a, region: eu-west-1 }'),
    ['tollgate.yaml:5:5 providers[0].aws: needs both access_key_id and secret_access_key, or neither'],
  ],
  [
    'AWS credentials with invalid parts',
    provider(
      'wire: bedrock-converse\n    aws: { access_key_id: a, secret_access_key: "b c", region: Ireland }',
    ),
    [
      'tollgate.yaml:5:30 providers[0].aws.secret_access_key: must be one word of ASCII or Latin-1 characters, ' +
        'without spaces or line breaks',
      "tollgate.yaml:5:56 providers[0].aws.region: must be a region like 'eu-west-1'",
    ],
  ],
  [
    'AWS credentials together with an API key',
    provider(
      'wire: bedrock-converse\n    api_key: k\n    aws: { access_key_id: a, secret_access_key: b, region: eu-west-1 }',
    ),
    ['tollgate.yaml:6:5 providers[0].aws: cannot be combined with `api_key`; use one of the two'],
  ],
  [
    'Google credentials on another wire',
    provider('wire: openai-chat\n    google: {}'),
    ['tollgate.yaml:5:5 providers[0].google: is only for the wires google-generate and anthropic-messages'],
  ],
  [
    'forwarded headers that carry keys',
    provider('wire: openai-chat\n    forward_headers: [x-request-tag, Authorization, authorization]'),
    [
      'tollgate.yaml:5:38 providers[0].forward_headers[1]: must be the name of an HTTP header in lower case, and not ' +
        "a header for keys, content or the connection, not 'Authorization'",
      'tollgate.yaml:5:53 providers[0].forward_headers[2]: must be the name of an HTTP header in lower case, and not ' +
        "a header for keys, content or the connection, not 'authorization'",
    ],
  ],
  [
    'missing fields',
    'providers:\n  - id: a\n    wire: openai-chat\n',
    ['tollgate.yaml:2:5 providers[0].base_url: is required'],
  ],
  [
    'a negative price',
    model('plan: free, payg_pricing_usd_per_mtok: { input: -1, output: 1 }'),
    [
      'tollgate.yaml:3:124 catalog.models[0].payg_pricing_usd_per_mtok.input: must be at least 0, not -1; the unit is USD per million tokens',
    ],
  ],
  [
    'more credits than the maximum [CRD-48]',
    'plans:\n  pro: { credits: 10000000000 }\n  max: { price_usd: 2000000.01 }\n',
    [
      'tollgate.yaml:2:10 plans.pro.credits: must be at most 1000000000, not 10000000000; the unit is credits',
      'tollgate.yaml:3:10 plans.max.price_usd: must be at most 2000000, not 2000000.01; the unit is USD',
    ],
  ],
  [
    'a price above the maximum [CRD-48]',
    model('plan: free, native_batch_pricing_usd_per_mtok: { input: 1, output: 10000.01 }'),
    [
      'tollgate.yaml:3:142 catalog.models[0].native_batch_pricing_usd_per_mtok.output: must be at most 10000, not 10000.01; the unit is USD per million tokens',
    ],
  ],
  [
    'an infinite number',
    'limits: { queue_wait_s: .inf }\n',
    ['tollgate.yaml:1:11 limits.queue_wait_s: must be a number, not Infinity; the unit is seconds'],
  ],
  [
    'an embedding model without dimensions',
    model('kind: embedding'),
    [
      'tollgate.yaml:3:7 catalog.models[0].output_dimensions: is required for an embedding model; the unit is dimensions',
    ],
  ],
  [
    'proxies that are not networks',
    'server: { trusted_proxies: [10.0.0.0/8, "::1", 10.0.0.0/33, home] }\n',
    [
      'tollgate.yaml:1:48 server.trusted_proxies[2]: must be an IP address or a CIDR block like 10.0.0.0/8',
      'tollgate.yaml:1:61 server.trusted_proxies[3]: must be an IP address or a CIDR block like 10.0.0.0/8',
    ],
  ],
  [
    'a purchase range whose minimum exceeds its maximum',
    'purchases: { min_usd: 5, max_usd: 4 }\n',
    ['tollgate.yaml:1:14 purchases.min_usd: must not exceed max_usd, which is 4; the unit is USD'],
  ],
  [
    'a brand that is invalid in a header',
    'brand: My Brand\n',
    [
      'tollgate.yaml:1:1 brand: must be a letter, then at most 15 letters, digits and dashes, all in lower case, ' +
        "not 'My Brand'",
    ],
  ],
  [
    'an unknown plan',
    'plans: { gold: {} }\n',
    [
      'tollgate.yaml:1:10 plans.gold: is not a known field; known are free, launch, starter, pro, max, ' +
        'scale, payg and enterprise',
    ],
  ],
  ...['http://[::1/v1', 'http://a:99999/v1', 'http://a:0/v1', 'http://:80/v1', 'http://a%20b/v1'].map(
    (address): [string, string, string[]] => [
      `the address ${address}, which nothing can listen on,`,
      `providers:\n  - id: local\n    wire: openai-chat\n    base_url: "${address}"\n`,
      [
        'tollgate.yaml:4:5 providers[0].base_url: must have a valid host and, if it has a port, one from 1 to 65535',
      ],
    ],
  ),
  [
    'an invalid listening address',
    'server: { host: "not a host" }\n',
    ["tollgate.yaml:1:11 server.host: must be an IP address or a host name, not 'not a host'"],
  ],
  [
    'a second listener without a port',
    'server: { admin_listen: 127.0.0.1 }\n',
    [
      "tollgate.yaml:1:11 server.admin_listen: must be an address and a port like '127.0.0.1:9090', not '127.0.0.1'",
    ],
  ],
  [
    'a second listener with an impossible port',
    'server: { admin_listen: "[::1]:99999" }\n',
    ['tollgate.yaml:1:11 server.admin_listen: must have a port from 0 to 65535'],
  ],
  [
    'a public address without a valid port',
    'server: { public_url: "http://a:99999" }\n',
    [
      'tollgate.yaml:1:11 server.public_url: must have a valid host and, if it has a port, one from 1 to 65535',
    ],
  ],
  ...['sch\u{1f600}', 'a\\u0001b', 'a\\u0085b'].map((key): [string, string, string[]] => [
    `the key ${key}, which fits in no header,`,
    provider(`wire: openai-chat\n    api_key: "${key}"`),
    [
      'tollgate.yaml:5:5 providers[0].api_key: must be one word of ASCII or Latin-1 characters, ' +
        'without spaces or line breaks',
    ],
  ]),
  ...['\u00e9\u{1f600}', 'a\\tb', 'a\\u0085b'].map((value): [string, string, string[]] => [
    `the header value ${value}, which cannot be sent,`,
    provider(`wire: openai-chat\n    headers: { x-a: "${value}" }`),
    ['tollgate.yaml:5:16 providers[0].headers.x-a: must be one line of ASCII or Latin-1 characters'],
  ]),
  ...['mysql://u:p@h/d', 'postgres://u:p@[x/y', 'postgres://u:p@x]/y', 'postgres://u:p@h:port/d'].map(
    (url): [string, string, string[]] => [
      `the database URL ${url}`,
      `store: { database_url: "${url}" }\n`,
      [
        'tollgate.yaml:1:10 store.database_url: must be a URL of the form postgres://user:password@host:port/database',
      ],
    ],
  ),
  ['a list as the document', '- a\n', ['tollgate.yaml:1:1 must be an object, not an array']],
];

for (const [name, text, expected] of wrong) {
  test(`reports ${name} with file, line, field and what was expected [ADM-19]`, () => {
    expect(problemsOf(text)).toEqual(expected.map(asSentence));
  });
}

test('reports repeated ids [ADM-19]', () => {
  const rows = ['a', 'b', 'a'].map((id) => `  - { id: ${id}, wire: openai-chat, base_url: "http://h/v1" }\n`);
  expect(problemsOf(`providers:\n${rows.join('')}`)).toEqual([
    "tollgate.yaml:4:7 providers[2].id: must be unique; the provider at position 0 also has the id 'a'.",
  ]);
});

test('reports all problems at once, in file order, up to a maximum [ADM-19]', () => {
  const text =
    'log: { level: loud }\nserver: { port: -1, host: ${UNSET} }\npurchases: { min_usd: 5, max_usd: 4 }\n';
  expect(problemsOf(text).map((line) => line.split(' ')[0])).toEqual(
    ['1:8', '2:11', '2:21', '3:14'].map((place) => `tollgate.yaml:${place}`),
  );
  expect(problemsOf(Array.from({ length: 50 }, (_, index) => `x${index}: 1\n`).join(''))).toHaveLength(20);
});

test('reports an unreadable file [ADM-19]', async () => {
  const large = join(folder, 'large.yaml');
  const binary = join(folder, 'binary.yaml');
  await writeFile(large, '#'.repeat(5 * 1024 * 1024 + 1));
  await writeFile(binary, new Uint8Array([0xff, 0xfe]));
  const reasons: [file: string, reason: string][] = [
    [join(folder, 'none.yaml'), 'does not exist'],
    [folder, 'is a directory, not a file'],
    [large, 'is larger than 5 MB'],
    [binary, 'is not UTF-8 text'],
  ];
  for (const [file, reason] of reasons) {
    const loaded = await loadConfig({ file, environment: {} });
    expect('problems' in loaded && loaded.problems.map(formatProblem)).toEqual([`${file}: ${reason}.`]);
  }
});

test('uses all defaults for no file, an empty file and empty sections', async () => {
  const empty = join(folder, 'empty.yaml');
  await writeFile(empty, '# nothing yet\n');
  expect(await loadConfig({ file: null, environment: {} })).toMatchObject({ config: defaults });
  expect(await loadConfig({ file: empty, environment: {} })).toMatchObject({ config: defaults });
  expect(configOf('server:\ncatalog:\n  models:\n')).toEqual(defaults);
  expect(defaults.server).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    drain_s: 30,
    cors: { origins: ['*'] },
  });
});

test('never includes a secret in a problem', () => {
  const secret = 'sk-very-secret';
  const texts = [
    `providers: [{ id: a, wire: openai-chat, base_url: "http://user:${secret}@h", api_key: "${secret} x" }]`,
    `providers: [{ id: a, wire: ${'${KEY}'}, base_url: "http://h", headers: { x: "${secret}\\n" } }]`,
    `store: { database_url: "mysql://u:${secret}@h", listen_url: "${secret}" }`,
    `admin: { token: "${secret}\\n" }`,
    `server: { public_url: ${'${KEY}'} }`,
  ];
  for (const text of texts) {
    const problems = problemsOf(text, { KEY: secret, DATABASE_URL: `ftp://${secret}` });
    expect(problems.length).toBeGreaterThan(1);
    expect(problems.join()).not.toContain(secret);
  }
});

test('accepts every valid header value and every kind of host', () => {
  const text = provider(
    'wire: openai-chat\n    api_key: "schl\u00fcssel"\n    headers: { x-a: "\u00e9 ~", x-b: "" }',
  );
  for (const host of ['[::1]:8080', 'example.org', '10.0.0.1:65535', 'b\u00fccher.example', 'my_service:80'])
    expect(problemsOf(text.replace('127.0.0.1:1', host))).toEqual([]);
});

test('converts a value from the environment to the type of its field [ADM-20]', () => {
  const server = 'server: { port: "${PORT_NUMBER}" }\n';
  const text = server + provider('wire: openai-chat\n    api_key: ${KEY}');
  const config = configOf(text, { KEY: '0123456', PORT_NUMBER: '81' });
  expect(config.server.port).toBe(81);
  expect(config.providers[0]?.api_key).toBe('0123456');
  expect(configOf(provider('wire: openai-chat\n    api_key: ${KEY:-}')).providers[0]?.api_key).toBeNull();
});

test('reports an unfilled placeholder once [ADM-20]', () => {
  expect(problemsOf('server: { port: ${UNSET} }\n')).toEqual([
    'tollgate.yaml:1:11 server.port: needs the environment variable UNSET, which is not set and ' +
      'has no default.',
  ]);
});

const sectionsByField = ['limits', 'responses', 'retention', 'auth', 'purchases'] as const;

/** Another value that the field may have. */
function changed(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' && value > 1 ? value - 1 : 1;
}

for (const section of sectionsByField) {
  test(`each field of ${section} takes effect on its own [ADM-49]`, () => {
    for (const [field, value] of Object.entries(defaults[section])) {
      const config = configOf(`${section}: { ${field}: ${changed(value)} }\n`);
      expect(config).toEqual({
        ...defaults,
        [section]: { ...defaults[section], [field]: changed(value) },
      } as Config);
    }
  });
}

test('each field of each plan is overridden on its own [LIF-04] [ADM-49]', () => {
  expect(Object.values(buildPlans(defaults.plans))).toEqual([...builtinPlans]);
  for (const plan of planIds) {
    for (const field of Object.keys(planFigureSchemas)) {
      const config = configOf(`plans: { ${plan}: { ${field}: 7 } }\n`);
      const figures = { ...defaults.plans[plan], [field]: 7 };
      expect(config).toEqual({ ...defaults, plans: { ...defaults.plans, [plan]: figures } });
    }
  }
  const { free } = configOf('plans: { free: { credits: null, max_prompt_tokens: null } }').plans;
  expect(free).toMatchObject({ credits: null, max_prompt_tokens: null });
});

test('fills in the defaults of providers and models', () => {
  const { providers, catalog } = configOf(
    provider('wire: openai-chat') + model('routes: [{ provider: x, model: y }]'),
  );
  expect(providers[0]).toEqual({
    id: 'local',
    wire: 'openai-chat',
    wires: null,
    base_url: 'http://127.0.0.1:1/v1',
    api_key: null,
    key_header: null,
    query: {},
    quirks: [],
    refuses: [],
    probe: null,
    aws: null,
    azure: null,
    google: null,
    forward_headers: null,
    allow_fields: [],
    headers: {},
    max_concurrent: null,
    batch: 'none',
    timeouts: { connect_ms: 5_000, first_byte_ms: 120_000, idle_ms: 60_000, total_ms: 1_800_000 },
  });
  expect(catalog.models[0]).toMatchObject({
    plan: 'starter',
    kind: 'chat',
    delivery: 'optimized',
    capabilities: { tools: false, reasoning: false, vision: false, documents: false },
    pricing_usd_per_mtok: { cached_input: null },
    routes: [{ weight: 1, wires: null }],
    comparable: [],
  });
});
