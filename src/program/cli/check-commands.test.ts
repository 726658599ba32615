// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a placeholder is tested
import { afterAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { runCaptured } from './testing/run-captured.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

const model = (provider: string, indent: string): string =>
  [
    'models:',
    '  - id: "@svc/test-small"',
    '    context_window: 8192',
    '    pricing_usd_per_mtok: { input: 1, output: 2, cached_input: null }',
    '    comparable: ["@svc/gpt-oss-20b"]',
    `    routes: [{ provider: ${provider}, model: small }]`,
    '',
  ]
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');

const good = file('good.yaml', `server: { port: 9000 }\ncatalog:\n${model('openai', '  ')}`);
const wrongType = file('wrong-type.yaml', 'brand: svc\nserver:\n  port: many\n');
const noProvider = file('no-provider.yaml', `catalog:\n${model('nobody', '  ')}`);
const goodCatalog = file('catalog.yaml', model('openai', ''));
const brokenCatalog = file('broken-catalog.yaml', model('nobody', ''));

test('config check accepts a valid configuration from a positional, an option or a variable [ADM-10]', async () => {
  const valid = { code: 0, printed: `${good} is valid.`, remarked: '' };
  expect(await runCaptured(['config', 'check', good])).toEqual(valid);
  expect(await runCaptured(['config', 'check', '--config', good])).toEqual(valid);
  expect(await runCaptured(['config', 'check'], { TOLLGATE_CONFIG: good })).toEqual(valid);
});

test('config check reports an invalid field with file, line, column and name [ADM-10] [ADM-13]', async () => {
  const { code, printed, remarked } = await runCaptured(['config', 'check', wrongType]);
  expect({ code, printed }).toEqual({ code: 1, printed: '' });
  expect(remarked).toStartWith(`${wrongType}:3:3 server.port: must be`);
});

test('both checks include the catalog of a configuration [ADM-10]', async () => {
  for (const command of ['config', 'catalog']) {
    const { code, remarked } = await runCaptured([command, 'check', noProvider]);
    expect(code).toBe(1);
    expect(remarked).toMatch(
      /no-provider\.yaml:7:\d+ catalog\.models\[0\]\.routes\[0\]\.provider: .*'nobody'/,
    );
  }
});

test('config check reports a missing file in one line [ADM-13]', async () => {
  const { code, remarked } = await runCaptured(['config', 'check', join(directory, 'none.yaml')]);
  expect({ code, count: remarked.split('\n').length }).toEqual({ code: 1, count: 1 });
});

test('config check prints problems as JSON with --json [ADM-06] [ADM-10]', async () => {
  const { code, printed } = await runCaptured(['config', 'check', wrongType, '--json']);
  expect(code).toBe(1);
  const message = expect.stringMatching(/^must be an integer.*\.$/);
  const problem = { file: wrongType, line: 3, column: 3, field: 'server.port', message };
  expect(JSON.parse(printed)).toEqual({ file: wrongType, ok: false, problems: [problem], warnings: [] });
  expect(JSON.parse((await runCaptured(['config', 'check', good, '--json'])).printed).ok).toBe(true);
});

test('a catalog file can refer to the built-in models and providers [ADM-09]', async () => {
  expect((await runCaptured(['catalog', 'check', goodCatalog])).code).toBe(0);
  const { code, remarked } = await runCaptured(['catalog', 'check', brokenCatalog]);
  expect(code).toBe(1);
  expect(remarked).toMatch(/broken-catalog\.yaml:6:\d+ models\[0\]\.routes\[0\]\.provider: .*'nobody'/);
});

test('a catalog file can refer to the providers of the configuration [ADM-09]', async () => {
  const providers =
    'providers:\n  - { id: nobody, wire: openai-chat, base_url: "http://127.0.0.1:9001/v1" }\n';
  const config = file('providers.yaml', providers);
  expect((await runCaptured(['catalog', 'check', brokenCatalog, '--config', config])).code).toBe(0);
});

test('config schema prints JSON with and without --json [ADM-06]', async () => {
  for (const args of [[], ['--json'], ['--catalog']]) {
    const { code, printed } = await runCaptured(['config', 'schema', ...args]);
    expect({ code, type: JSON.parse(printed).type }).toEqual({ code: 0, type: 'object' });
  }
});

const otherWire = (id: string, wire: string) =>
  `providers: [{ id: ${id}, wire: ${wire}, base_url: "http://127.0.0.1:1/v1" }]\n`;

for (const [id, wire] of [
  ['openai', 'openai-chat'],
  ['openai', 'openai-embeddings'],
  ['anthropic', 'google-generate'],
] as const) {
  test(`a configured provider can replace ${id} and serve only ${wire} [ADM-10]`, async () => {
    const path = file(`${id}-${wire}.yaml`, otherWire(id, wire));
    expect(await runCaptured(['config', 'check', path])).toEqual({
      code: 0,
      printed: `${path} is valid.`,
      remarked: '',
    });
  });
}

test('config check reports the place of a route that shares no wire with its provider [ADM-10]', async () => {
  const own = `${otherWire('openai', 'openai-embeddings')}catalog:\n${model('openai', '  ')}`;
  const { code, remarked } = await runCaptured(['config', 'check', file('no-wire.yaml', own)]);
  expect({ code, count: remarked.split('\n').length }).toEqual({ code: 1, count: 1 });
  expect(remarked).toMatch(/no-wire\.yaml:8:\d+ catalog\.models\[0\]\.routes\[0\]: must share a wire/);
});

test('config check refuses a redis_url unless it is empty, which it warns of', async () => {
  for (const value of ['null', '""', '${EXAMPLE_REDIS_URL:-}', '']) {
    const path = file('removed.yaml', `store:\n  redis_url: ${value}\n`);
    const { code, printed } = await runCaptured(['config', 'check', path]);
    const warning = `warn ${path}:2:3 store.redis_url: is no longer a setting; remove the line.`;
    expect({ code, printed }).toEqual({ code: 0, printed: `${warning}\n${path} is valid.` });
  }
  const used = file('used.yaml', 'store:\n  redis_url: redis://h\n');
  expect(await runCaptured(['config', 'check', used])).toMatchObject({
    code: 1,
    remarked: expect.stringContaining(`${used}:2:3 store.redis_url: `),
  });
});

test('config check refuses two listeners on one port, with the place', async () => {
  for (const listen of ['127.0.0.1:8080', '0.0.0.0:8080', '[::]:8080']) {
    const path = file('one-port.yaml', `server: { port: 8080, admin_listen: "${listen}" }\n`);
    const { code, remarked } = await runCaptured(['config', 'check', path]);
    expect(code).toBe(1);
    expect(remarked).toStartWith(
      `${path}:1:23 server.admin_listen: must have a different port from server.port`,
    );
  }
});

test('config check accepts two listeners that do not share an address and a port', async () => {
  for (const [port, listen] of [
    ['8080', '127.0.0.2:8080'],
    ['0', '127.0.0.1:0'],
    ['8080', '127.0.0.1:9090'],
  ]) {
    const path = file('two.yaml', `server: { port: ${port}, admin_listen: "${listen}" }\n`);
    expect((await runCaptured(['config', 'check', path])).code).toBe(0);
  }
});

test('every check refuses several workers of an embedded store as the start does, with the place [ADM-10]', async () => {
  const path = file('workers.yaml', 'server:\n  workers: 2\n');
  const check = await runCaptured(['config', 'check', path]);
  expect({ code: check.code, printed: check.printed }).toEqual({ code: 1, printed: '' });
  expect(check.remarked).toMatch(/\.$/);
  expect(check.remarked).toStartWith(`${path}:2:3 server.workers: `);
  const doctor = await runCaptured(['doctor', '--config', path, '--data', directory, '--port', '0']);
  expect(doctor.code).toBe(1);
  expect(doctor.printed).toContain(check.remarked.slice(0, -1));
  const serve = await runCaptured(['serve', '--config', path, '--data', directory, '--port', '0']);
  expect({ code: serve.code, remarked: serve.remarked }).toEqual({ code: 1, remarked: check.remarked });
  const catalog = await runCaptured(['catalog', 'check', goodCatalog, '--config', path]);
  expect({ code: catalog.code, remarked: catalog.remarked }).toEqual({ code: 1, remarked: check.remarked });
});

test('every check exits with 0 after a warning of what is legal but hardly meant [ADM-10]', async () => {
  const row = '{ id: lonely, context_window: 10, pricing_usd_per_mtok: { input: 1, output: 1 } }';
  const config = file('warned.yaml', `catalog:\n  models:\n    - ${row}\n`);
  const catalog = file('warned-catalog.yaml', `models:\n  - ${row}\n`);
  const warning = 'routes: is empty, so requests for the model are refused; add a route.';
  for (const command of ['config', 'catalog']) {
    const { code, printed } = await runCaptured([command, 'check', config]);
    const lines = `warn ${config}:3:7 catalog.models[0].${warning}\n${config} is valid.`;
    expect(code).toBe(0);
    expect(printed).toStartWith(lines);
  }
  const alone = await runCaptured(['catalog', 'check', catalog]);
  const lines = `warn ${catalog}:2:5 models[0].${warning}\n${catalog} is valid.`;
  expect(alone.code).toBe(0);
  expect(alone.printed).toStartWith(lines);
  const json = JSON.parse((await runCaptured(['config', 'check', config, '--json'])).printed);
  expect({ ok: json.ok, problems: json.problems, warningCount: json.warnings.length }).toEqual({
    ok: true,
    problems: [],
    warningCount: 1,
  });
  const doctor = await runCaptured(['doctor', '--config', config, '--data', directory, '--port', '0']);
  expect(doctor).toMatchObject({
    code: 0,
    printed: expect.stringMatching(/^warn {2}configuration .*models\[0\]\.routes/m),
  });
});

test('config check suggests the name that a reference probably means [ADM-10]', async () => {
  const text = [
    'providers: [{ id: local, wire: openai-chat, base_url: "http://127.0.0.1:1/v1" }]',
    'catalog:',
    '  default: false',
    '  models:',
    '    - id: first',
    '      context_window: 10',
    '      pricing_usd_per_mtok: { input: 1, output: 1 }',
    '      comparable: [secnd]',
    '      routes: [{ provider: locl, model: x }]',
    '    - id: second',
    '      context_window: 10',
    '      pricing_usd_per_mtok: { input: 1, output: 1 }',
    '      routes: [{ provider: local, model: x }]',
    '  handles: { gpt: frist }',
    '  previews: { next: seconds }',
    '',
  ].join('\n');
  const { remarked } = await runCaptured(['config', 'check', file('references.yaml', text)]);
  const suggestions = remarked
    .split('\n')
    .map((line) => /(\w+(?:\[\d\])?): .*; did you mean '(\w+)'\?$/.exec(line)?.slice(1));
  expect(suggestions).toEqual(
    expect.arrayContaining([
      ['provider', 'local'],
      ['comparable[0]', 'second'],
      ['gpt', 'first'],
      ['next', 'second'],
    ]),
  );
  const variable = file('variable.yaml', 'brand: ${MY_BRND}\n');
  expect((await runCaptured(['config', 'check', variable], { MY_BRAND: 'x' })).remarked).toEndWith(
    "did you mean 'MY_BRAND'?",
  );
});
