// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { afterAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPlans } from '../plans/build-plans.ts';
import { builtinPlans, planIds } from '../plans/plan.ts';
import { formatProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';
import { loadConfig } from './load-config.ts';
import { planFigureSchemas } from './plan-schema.ts';
import { configOf, problemsOf } from './testing/config-of.ts';
import { model, provider } from './testing/config-texts.ts';

const folder = await mkdtemp(join(tmpdir(), 'tollgate-config-'));
afterAll(() => rm(folder, { recursive: true }));

const defaults = configOf('');

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
