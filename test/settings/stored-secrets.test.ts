import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf } from '../support/content-of.ts';
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

async function run(server: TestServer, ...args: string[]) {
  const program = spawnProgram([...args, '--url', server.url, '--admin-token', server.adminToken], {});
  const code = await program.exited;
  return { code, printed: program.stdout() + program.stderr() };
}

const viewOf = async (server: TestServer, id: string) => (await server.admin('GET', `/providers/${id}`)).body;
const works = async (server: TestServer, id: string) =>
  (await server.admin('POST', `/providers/${id}/test`, {})).body.ok;

test('a key is read from a file, encrypted with a generated key, rotated, and left out of a backup', async () => {
  const server = await startServer({ dataDirectory });
  const providerKeyFile = join(directory, 'provider.key');
  writeFileSync(providerKeyFile, `${KEY}\n`);
  const options =
    `--wire openai-chat --base-url ${upstream.url} --key-file ${providerKeyFile} --model small-1`.split(' ');
  for (const id of ['one', 'two']) {
    const added = await run(server, 'provider', 'add', id, ...options);
    expect(added.code).toBe(0);
    expect(added.printed).not.toContain(KEY);
  }
  const routed = 'models add routed --context 8192 --input 1 --output 2 --route two/small-1'.split(' ');
  expect(await run(server, ...routed)).toMatchObject({ code: 0 });
  expect((await run(server, 'provider', 'test', 'one')).printed).toContain('A real answer.');
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const first = readFileSync(keyFile, 'utf8');
  expect(contentOf(dataDirectory)).not.toContain(KEY);

  const rotated = await run(server, 'secret', 'rotate');
  expect(rotated).toMatchObject({ code: 0, printed: 'Encrypted 2 credentials with the new key\n' });
  const second = readFileSync(keyFile, 'utf8');
  expect(second).not.toBe(first);
  expect(second.trim().split(',')).toHaveLength(1);
  expect(await works(server, 'one')).toBe(true);

  for (const [name, flags, hasKey] of [
    ['without', [], false],
    ['with', ['--with-secret-key'], true],
  ] as const) {
    const target = join(directory, name);
    const program = spawnProgram(['backup', target, '--data', dataDirectory, ...flags], {});
    expect(await program.exited).toBe(0);
    expect(readdirSync(target).includes('secret-key')).toEqual(hasKey);
    expect(contentOf(target)).not.toContain(KEY);
    const restored = spawnProgram(['restore', target, '--data', join(directory, `restored-${name}`)], {});
    expect(await restored.exited).toBe(0);
    expect(restored.stdout().includes('Put its file secret-key')).toEqual(!hasKey);
  }
  expect(server.log() + server.errors()).not.toContain(KEY);
  await server.stop();
});

test('a lost key file is not replaced while it is needed', async () => {
  const kept = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);
  const server = await startServer({ dataDirectory });
  const { body } = await server.admin('GET', '/doctor');
  expect(body.findings).toContainEqual({
    check: 'providers',
    status: 'fail',
    message: expect.stringMatching(
      /^two gets no calls: .*encrypted with a key that this process does not have/,
    ),
    mend: expect.stringContaining('start the server with the key'),
  });
  expect(server.log()).toContain('"event":"stored-provider-unusable","provider":"two"');
  expect(server.log()).not.toContain('stored-model-problem');
  expect(await viewOf(server, 'two')).toMatchObject({
    health: 'down',
    fault: { cause: 'credential_unreadable' },
  });
  const three = { id: 'three', wire: 'openai-chat', base_url: upstream.url, api_key: KEY };
  const refused = await server.admin('POST', '/providers', three);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('secret-key') } },
  });
  const noHeaders = await server.admin('PATCH', '/providers/two', { headers: {} });
  expect(noHeaders).toMatchObject({ status: 409, body: { error: { param: 'api_key' } } });
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
