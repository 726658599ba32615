import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../store/sqlite/open-sqlite-store.ts';
import { goodHost } from '../../../upstream/http-client/testing/certificates.ts';
import { runCaptured } from '../testing/run-captured.ts';
import type { Finding } from './finding.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-doctor-test-'));
const upstream = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
afterAll(async () => {
  await upstream.stop(true);
  rmSync(directory, { recursive: true });
});

const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

async function examine(options: string[] = []) {
  const data = ['--data', join(directory, 'data'), '--port', '0'];
  const args = ['doctor', '--json', ...(options.includes('--data') ? [] : data), ...options];
  const { code, printed, remarked } = await runCaptured(args);
  const { ok, findings } = JSON.parse(printed) as { ok: boolean; findings: Finding[] };
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { code, ok, remarked, about, findings };
}

const provider = (id: string, port: number): string =>
  `  - { id: ${id}, wire: openai-chat, base_url: "http://127.0.0.1:${port}/v1", api_key: secret-key }\n`;

test('all checks pass without a server and a file [ADM-12]', async () => {
  const { code, ok, findings, about } = await examine();
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  const checks = [
    'configuration',
    'runtime',
    'data directory',
    'store',
    'providers',
    'clock',
    'limits',
    'port',
  ];
  expect([...new Set(findings.map(({ check }) => check))]).toEqual(checks);
  expect(about('providers')[0]?.message).toStartWith('simulated, free of charge: all models');
});

test('a database whose place cannot be read is not a missing one', async () => {
  const data = mkdtempSync(join(directory, 'unreadable-'));
  // A link to itself fails for every user.
  symlinkSync('tollgate.db', join(data, 'tollgate.db'));
  const { about } = await examine(['--data', data, '--port', '0']);
  expect(about('store')).toMatchObject([{ status: 'fail', message: expect.stringContaining('ELOOP') }]);
});

test('a database that is missing beside the files of a server is a problem', async () => {
  const data = mkdtempSync(join(directory, 'lost-'));
  writeFileSync(join(data, 'admin-token'), 'tga_prepared');
  expect((await examine(['--data', data, '--port', '0'])).about('store')).toMatchObject([{ status: 'ok' }]);
  writeFileSync(join(data, 'settlements.spool'), '');
  const { about } = await examine(['--data', data, '--port', '0']);
  expect(about('store')).toMatchObject([
    { status: 'fail', message: expect.stringContaining('tollgate.db is missing') },
  ]);
});

test('a check that fails itself is a warning among the other findings', async () => {
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = join(directory, 'nowhere');
  try {
    const { code, about } = await examine();
    expect(code).toBe(0);
    expect(about('doctor')).toMatchObject([{ status: 'warn' }]);
    expect(about('doctor')[0]?.message).toContain('a check did not run');
    expect(about('limits')).toHaveLength(1);
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
});

test('checks the address of the listener for operators as well [ADM-12]', async () => {
  const config = file('admin-listen.yaml', `server: { admin_listen: "127.0.0.1:${upstream.port}" }\n`);
  const { about } = await examine(['--config', config]);
  expect(about('port')).toMatchObject([
    { status: 'ok' },
    {
      status: 'fail',
      message: `127.0.0.1:${upstream.port} is in use by another program`,
      mend: 'choose another server.admin_listen',
    },
  ]);
});

test('an unknown host is not free', async () => {
  const { about } = await examine(['--config', file('unknown.yaml', 'server: { host: none.invalid }\n')]);
  expect(about('port')).toMatchObject([
    { status: 'fail', message: expect.stringMatching(/^none\.invalid:\d+ is not a known address$/) },
  ]);
});

test('reports each provider as ok or with a fix [ADM-12]', async () => {
  const config = file(
    'tollgate.yaml',
    `providers:\n${provider('good', upstream.port!)}${provider('broken', 9)}`,
  );
  const { code, ok, about, remarked } = await examine(['--config', config]);
  expect({ code, ok }).toEqual({ code: 1, ok: false });
  const [good, broken] = about('providers');
  expect(good).toMatchObject({ status: 'ok', message: `good at 127.0.0.1:${upstream.port} is reachable` });
  expect(broken).toMatchObject({ status: 'fail', message: expect.stringContaining('broken at 127.0.0.1:9') });
  expect(broken?.mend).toContain('base_url');
  expect(remarked).toMatch(/^tollgate: 1 of \d+ checks failed\.$/);
});

test('distinguishes the certificate of a host from a host that cannot be reached', async () => {
  const host = Bun.serve({ port: 0, hostname: '127.0.0.1', tls: goodHost, fetch: () => new Response() });
  try {
    const base = `https://127.0.0.1:${host.port}/v1`;
    const text = `providers:\n  - { id: own, wire: openai-chat, base_url: "${base}", api_key: k }\n`;
    const { about } = await examine(['--config', file('tollgate.yaml', text)]);
    const [own] = about('providers');
    expect(own).toMatchObject({
      status: 'fail',
      mend: expect.stringMatching(/^renew .* NODE_EXTRA_CA_CERTS/),
    });
  } finally {
    await host.stop(true);
  }
});

const row = (id: string, route: string): string =>
  `    - { id: ${id}, plan: free, context_window: 8192, pricing_usd_per_mtok: { input: 1, output: 1 }, routes: [${route}] }\n`;

test('says which models are real and why the others are not', async () => {
  const own = `providers:\n${provider('good', upstream.port!)}catalog:\n  models:\n`;
  const models =
    row('real', '{ provider: good, model: x }') + row('made-up', '{ provider: simulator, model: x }');
  const messages = async (options: string) => {
    const { about, code } = await examine(['--config', file('models.yaml', own + models + options)]);
    expect(code).toBe(0);
    return about('providers').map(({ status, message }) => `${status} ${message}`);
  };
  const auto = await messages('');
  expect(auto).toContain('ok models with a provider: 1');
  expect(auto).toContain('warn the simulator does not answer for made-up, because a provider is live');
  expect(auto.find((line) => line.startsWith('ok not set up'))).toContain(
    'azure (AZURE_OPENAI_API_KEY, AZURE_OPENAI_ENDPOINT); ',
  );
  const on = await messages('simulator: { mode: on }\n');
  expect(on).toContain('ok simulated, free of charge: made-up');
  expect(on.filter((line) => line.startsWith('warn'))).toEqual([]);
});

test('prints no secret [ADM-12]', async () => {
  const config = file('secret.yaml', `providers:\n${provider('good', upstream.port!)}`);
  expect(JSON.stringify((await examine(['--config', config])).findings)).not.toContain('secret-key');
});

test('reports an invalid configuration with line and field beside the other checks [ADM-12]', async () => {
  const config = file('wrong.yaml', 'server:\n  port: many\n');
  const { code, about, findings } = await examine(['--config', config]);
  expect(code).toBe(1);
  expect(about('configuration')[0]?.message).toContain('wrong.yaml:2:3 server.port');
  expect(findings.some(({ check }) => check === 'port')).toBe(true);
});

test('reads a closed store unless it is newer or damaged [ADM-12]', async () => {
  const data = join(directory, 'store');
  const look = async () => (await examine(['--data', data, '--port', '0'])).about('store')[0];
  const store = await openSqliteStore({ directory: data });
  expect(await look()).toMatchObject({ status: 'ok', message: expect.stringContaining('running server') });
  await store.close();
  expect(await look()).toMatchObject({ status: 'ok', message: expect.stringContaining('intact') });
  const newer = new Database(join(data, 'tollgate.db'));
  newer.run("INSERT INTO migration VALUES (9999, 'later', '', 0)");
  newer.close();
  expect(await look()).toMatchObject({ status: 'fail', mend: expect.stringContaining('newer version') });
  writeFileSync(join(data, 'tollgate.db'), 'this is not a database, and never was one'.repeat(100));
  expect(await look()).toMatchObject({ status: 'fail', mend: expect.stringContaining('backup') });
});

test('fails on a port in use and on a data directory that is a file [ADM-12]', async () => {
  const notADirectory = file('plain-file', '');
  const { code, about } = await examine(['--data', notADirectory, '--port', String(upstream.port)]);
  expect(code).toBe(1);
  expect(about('data directory')).toMatchObject([{ status: 'fail' }]);
  expect(about('port')).toMatchObject([
    { status: 'fail', message: expect.stringContaining('another program') },
  ]);
});

test('prints one line for each finding [ADM-12]', async () => {
  const { printed } = await runCaptured(['doctor', '--data', join(directory, 'data'), '--port', '0']);
  for (const line of printed.split('\n')) expect(line).toMatch(/^(ok {2}|warn|FAIL) {2}[a-z]/);
});
