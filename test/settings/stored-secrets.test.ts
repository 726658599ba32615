import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';

const KEY = 'sk-small-1234567890abcdef';
const upstream = startSmallProvider([KEY]);
const directory = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'));
const dataDirectory = join(directory, 'data');
afterAll(() => {
  upstream.stop();
  rmSync(directory, { recursive: true, force: true });
});

const keyFile = join(dataDirectory, 'secret-key');
const contentOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n');

async function run(server: TestServer, ...args: string[]) {
  const program = spawnProgram([...args, '--url', server.url, '--admin-token', server.adminToken], {});
  const code = await program.exited;
  return { code, printed: program.stdout() + program.stderr() };
}

const health = async (server: TestServer, id: string) => (await server.admin('GET', `/providers/${id}`)).body;
const works = async (server: TestServer, id: string) =>
  (await server.admin('POST', `/providers/${id}/test`, {})).body.ok;

test('a key is read from a file, encrypted with a generated key, rotated, and left out of a backup', async () => {
  const server = await startServer({ dataDirectory });
  const written = join(directory, 'provider.key');
  writeFileSync(written, `${KEY}\n`);
  const base = [
    '--wire',
    'openai-chat',
    '--base-url',
    upstream.url,
    '--key-file',
    written,
    '--model',
    'small-1',
  ];
  for (const id of ['one', 'two']) {
    const added = await run(server, 'provider', 'add', id, ...base);
    expect([added.code, added.printed.includes(KEY)]).toEqual([0, false]);
  }
  expect((await run(server, 'provider', 'test', 'one')).printed).toContain('A real answer.');
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const first = readFileSync(keyFile, 'utf8');
  expect(contentOf(dataDirectory)).not.toContain(KEY);

  const rotated = await run(server, 'secret', 'rotate');
  expect([rotated.code, rotated.printed]).toEqual([0, 'Encrypted 2 credentials with the new key\n']);
  const second = readFileSync(keyFile, 'utf8');
  expect([second === first, second.trim().split(',').length]).toEqual([false, 1]);
  expect(await works(server, 'one')).toBe(true);

  for (const [name, options, hasKey] of [
    ['without', [], false],
    ['with', ['--with-secret-key'], true],
  ] as const) {
    const target = join(directory, name);
    const program = spawnProgram(['backup', target, '--data', dataDirectory, ...options], {});
    expect(await program.exited).toBe(0);
    expect([readdirSync(target).includes('secret-key'), contentOf(target).includes(KEY)]).toEqual([
      hasKey,
      false,
    ]);
  }
  expect(server.log() + server.errors()).not.toContain(KEY);
  await server.stop();
});

test('a row that was changed or moved in the database is never used, and the others serve', async () => {
  const database = new Database(join(dataDirectory, 'tollgate.db'));
  const rows = database.query('SELECT id, settings, secrets FROM stored_setting ORDER BY id').all() as {
    id: string;
    settings: string;
    secrets: string;
  }[];
  const elsewhere = rows[0]!.settings.replace(upstream.url, 'http://127.0.0.1:1/v1');
  const settings = rows[0]!.settings.replace('"one"', '"swapped"');
  database.run("UPDATE stored_setting SET settings = ? WHERE id = 'one'", [elsewhere]);
  database.run(
    `INSERT INTO stored_setting (kind, id, revision, settings, secrets, secrets_set_at, changed_at)
     VALUES ('provider', 'swapped', 1, ?, ?, 1, 1)`,
    [settings, rows[0]!.secrets],
  );
  database.close();
  const server = await startServer({ dataDirectory });
  for (const id of ['one', 'swapped']) {
    expect(await health(server, id)).toMatchObject({
      health: 'down',
      fault: { cause: 'credential_unreadable' },
    });
    expect((await server.admin('POST', `/providers/${id}/test`, {})).status).toBe(409);
  }
  expect(await works(server, 'two')).toBe(true);
  expect((await server.call('/readyz')).status).toBe(200);
  const faults = (await server.admin('GET', '/faults')).body.data;
  expect(faults).toMatchObject(
    ['one', 'swapped'].map((provider) => ({ provider, cause: 'credential_unreadable', severity: 'error' })),
  );
  const healed = await server.admin('PATCH', '/providers/one', { base_url: upstream.url, api_key: KEY });
  expect([healed.status, healed.body.health, await works(server, 'one')]).toEqual([200, 'up', true]);
  await server.stop();
});

test('a lost key file is not replaced while it is needed', async () => {
  const kept = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);
  const server = await startServer({ dataDirectory });
  expect(await health(server, 'two')).toMatchObject({
    health: 'down',
    fault: { cause: 'credential_unreadable' },
  });
  const body = { id: 'three', wire: 'openai-chat', base_url: upstream.url, api_key: KEY };
  const refused = await server.admin('POST', '/providers', body);
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('secret-key')]);
  const noHeaders = await server.admin('PATCH', '/providers/two', { headers: {} });
  expect([noHeaders.status, noHeaders.body.error?.param]).toEqual([409, 'api_key']);
  await server.stop();
  writeFileSync(keyFile, kept, { mode: 0o600 });
  const again = await startServer({ dataDirectory });
  expect(await works(again, 'two')).toBe(true);
  await again.stop();
});

test('an invalid key in the variable stops the start', async () => {
  const program = spawnProgram(['serve', '--port', '0', '--data', join(directory, 'other')], {
    TOLLGATE_SECRET_KEY: 'too short',
  });
  expect(await program.exited).toBe(1);
  expect(program.stderr()).toContain('TOLLGATE_SECRET_KEY');
});
