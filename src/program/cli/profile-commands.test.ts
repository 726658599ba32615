import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { runCaptured } from './testing/run-captured.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-profiles-'));
const seen: (string | null)[] = [];
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    seen.push(request.headers.get('authorization'));
    return Response.json({ reloaded: true, faults: [] });
  },
});
const url = `http://127.0.0.1:${server.port}`;
const file = join(directory, 'tollgate', 'profiles.json');
const environment = { XDG_CONFIG_HOME: directory, DATA_DIR: directory };
writeFileSync(join(directory, 'address'), 'http://127.0.0.1:9\n');
writeFileSync(join(directory, 'admin-token'), 'token-of-the-data-directory\n');
writeFileSync(join(directory, 'token'), 'token-of-a-file\n');

const run = (line: string, more: Record<string, string> = {}) =>
  runCaptured(line.split(' '), { ...environment, ...more });

beforeEach(() => {
  seen.length = 0;
  rmSync(join(directory, 'tollgate'), { recursive: true, force: true });
});
afterAll(async () => {
  await server.stop(true);
  rmSync(directory, { recursive: true });
});

describe('a profile', () => {
  test('names a server and its token in a file that only its owner can read', async () => {
    expect((await run(`profile add production ${url}/ --admin-token stored-token`)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run('reload --profile production')).code).toBe(0);
    expect((await run('reload', { TOLLGATE_PROFILE: 'production' })).code).toBe(0);
    expect((await run('reload --profile production --admin-token given')).code).toBe(0);
    expect(seen).toEqual(['Bearer stored-token', 'Bearer stored-token', 'Bearer given']);
  });

  test('takes its token from a file when it is added, or from a variable when it is used', async () => {
    await run(`profile add filed ${url} --token-file ${join(directory, 'token')}`);
    await run(`profile add named ${url} --token-variable STAGING_TOKEN`);
    await run(`profile add bare ${url}`);
    await run('reload --profile filed');
    await run('reload --profile named', { STAGING_TOKEN: 'token-of-a-variable' });
    await run('reload --profile bare', { TOLLGATE_ADMIN_TOKEN: 'the-usual-variable' });
    expect(seen).toEqual([
      'Bearer token-of-a-file',
      'Bearer token-of-a-variable',
      'Bearer the-usual-variable',
    ]);
  });

  test('never gets the token of the data directory, which belongs to another server', async () => {
    await run(`profile add bare ${url}`);
    const { code, remarked } = await run('reload --profile bare');
    expect({ code, seen }).toEqual({ code: 1, seen: [] });
    expect(remarked).toBe(
      "tollgate: the profile 'bare' has no admin token, and TOLLGATE_ADMIN_TOKEN is not set; " +
        'pass the token with --admin-token.',
    );
  });

  test('keeps commands that work without a server away from the data directory', async () => {
    const data = join(directory, 'stopped');
    await (await openSqliteStore({ directory: data })).close();
    await run(`profile add production ${url} --admin-token t`);
    for (const line of ['ledger verify', 'ledger repair acct_1 --yes', 'ledger archive --before 2026-10'])
      await run(`${line} --profile production --json`, { DATA_DIR: data });
    expect(seen).toEqual(Array(3).fill('Bearer t'));
  });

  test('gives way to --url and --data if only the environment names it', async () => {
    await run(`profile add other http://127.0.0.1:9 --admin-token other-token`);
    await run(`reload --url ${url} --admin-token given`, { TOLLGATE_PROFILE: 'other' });
    expect(seen).toEqual(['Bearer given']);
    for (const option of ['url', 'data']) {
      const { code, remarked } = await run(`reload --profile other --${option} x`);
      expect({ code, remarked }).toEqual({
        code: 2,
        remarked: `tollgate: --profile and --${option} cannot be combined (see 'tollgate reload --help').`,
      });
    }
  });

  test('that does not exist is reported with the one that is probably meant', async () => {
    await run(`profile add production ${url} --admin-token t`);
    expect((await run('reload --profile prodction')).remarked).toBe(
      "tollgate: there is no profile 'prodction'; did you mean 'production'?",
    );
    expect((await run('profile remove zzzzzz')).remarked).toBe(
      "tollgate: there is no profile 'zzzzzz'; see 'tollgate profile list'.",
    );
  });
});

test('tokens are printed by no command', async () => {
  const outputs = [
    await run(`profile add one ${url} --admin-token stored-token`),
    await run(`profile add two ${url} --token-variable NAME`),
    ...(await Promise.all(['', ' --json', ' --jsonl', ' --csv'].map((form) => run(`profile list${form}`)))),
    await run('profile remove one'),
  ];
  for (const { code, printed, remarked } of outputs) {
    expect(code).toBe(0);
    expect(printed + remarked).not.toContain('stored-token');
  }
  expect(outputs[2]!.printed.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['NAME', 'URL', 'TOKEN FROM'],
    ['one', url, 'stored'],
    ['two', url, 'NAME'],
  ]);
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles)).toEqual(['two']);
});

test('a profile without encryption is saved with a warning, unless the server is on this machine', async () => {
  expect((await run('profile add far http://gateway.example.com --admin-token t')).remarked).toBe(
    'http://gateway.example.com is not encrypted, so the network can read the admin token.',
  );
  for (const address of ['https://gateway.example.com', 'http://localhost:8080', 'http://[::1]:1'])
    expect((await run(`profile add near ${address}`)).remarked).toBe('');
});

const refused: [string, number, string][] = [
  ['profile add bad/name http://a', 2, 'NAME must consist of letters'],
  ['profile add a ftp://a', 1, 'is not a server address'],
  ['profile add a http://a --admin-token t --token-variable T', 2, 'cannot be combined'],
  ['profile add a http://a --token-variable 1T', 2, 'must be the name of a variable'],
  ['profile add a http://a --token-file no-such-file', 1, 'cannot read no-such-file: ENOENT'],
];
for (const [line, code, reason] of refused)
  test(`refuses '${line}' and saves nothing`, async () => {
    const outcome = await run(line);
    expect({ code: outcome.code, remarked: outcome.remarked }).toEqual({
      code,
      remarked: expect.stringContaining(reason),
    });
    expect((await run('profile list --jsonl')).printed).toBe('');
  });

test('a file that other users can read, or that is damaged, is refused', async () => {
  await run(`profile add one ${url} --admin-token t`);
  chmodSync(file, 0o644);
  expect((await run('profile list')).remarked).toBe(
    `tollgate: other users can access ${file}; run chmod 600 on it.`,
  );
  chmodSync(file, 0o600);
  for (const text of ['{', '{}', '{"profiles":{"a":null}}', '{"profiles":{"a":{}}}']) {
    writeFileSync(file, text);
    expect({ text, remarked: (await run('profile list')).remarked }).toEqual({
      text,
      remarked: `tollgate: ${file} is not a file of profiles; correct or delete it.`,
    });
  }
});

test('profiles are in ~/.config without XDG_CONFIG_HOME, or if it is relative', async () => {
  const home = join(directory, 'home');
  for (const XDG_CONFIG_HOME of ['', 'relative'])
    await run(`profile add one ${url}`, { HOME: home, XDG_CONFIG_HOME });
  expect(statSync(join(home, '.config', 'tollgate', 'profiles.json')).isFile()).toBe(true);
});
