import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../src/program/cli/doctor/finding.ts';
import { runCaptured } from '../../src/program/cli/testing/run-captured.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { runProgram, spawnProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-operator-'));
const upstream = startRecordingUpstream();
let server: TestServer;
/** The environment of the commands. It names the server by a profile only. */
const environment = { XDG_CONFIG_HOME: directory, TOLLGATE_PROFILE: 'remote', DATA_DIR: directory };

beforeAll(async () => {
  // The server has a variable that the commands do not have.
  server = await startServer({
    config: `${JSON.stringify(sampleConfig(upstream.url)).replace(/\}$/, '')}, "purchases": { "max_usd": \${MAX_USD} } }`,
    environment: { MAX_USD: '77' },
  });
  upstream.answer('', () => Response.json({ data: [] }));
  upstream.answer(`${HIDDEN}-test-vectors`, ({ body: { model } }) =>
    Response.json({
      object: 'list',
      model,
      data: [{ object: 'embedding', index: 0, embedding: Array(768).fill(0.1) }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  );
  writeFileSync(join(directory, 'token'), server.adminToken);
  const added = await run(['profile', 'add', 'remote', server.url, '--token-file', join(directory, 'token')]);
  expect(added.code).toBe(0);
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

const run = (args: string[], more: Record<string, string> = {}) =>
  runCaptured(args, { ...environment, ...more });
const local = () => ['--data', server.dataDirectory];

describe('models test', () => {
  test('shows the model, the provider, the time and the cost of one small request', async () => {
    const { code, printed } = await run(['models', 'test', 'test-small-old', '--json', ...local()]);
    const tested = JSON.parse(printed);
    expect({ code, tested }).toMatchObject({
      code: 0,
      tested: {
        ok: true,
        model: '@svc/test-small',
        served_model: '@svc/test-small',
        provider: expect.stringContaining('openai-chat'),
        provider_model: expect.stringContaining('test-small'),
        status: 200,
        attempts: 1,
        simulated: false,
        error: null,
      },
    });
    expect(tested.ms).toBeGreaterThan(0);
    const { body: entry } = await server.admin('GET', `/ledger/entries/${tested.request_id}`);
    expect(entry.microcredits).toBeGreaterThan(0);
    expect({ microcredits: tested.microcredits, input_tokens: tested.input_tokens }).toEqual({
      microcredits: entry.microcredits,
      input_tokens: entry.input_tokens,
    });
    expect(tested.cost_usd).toBe(entry.microcredits / 500_000_000);
  });

  test('lets a named account pay with a key that is revoked afterwards', async () => {
    const account = await server.createAccount('pro');
    const { code, printed } = await run(['models', 'test', 'test-vectors', '--account', 'pro']);
    expect(code).toBe(0);
    expect(printed.split('\n')[0]).toBe('ok');
    const { data } = (await server.admin('GET', `/accounts/${account}/keys`)).body;
    expect(data).toMatchObject([{ name: 'models test', revoked_at: expect.any(String) }]);
  });

  test('fails with 1 and the error that the client got', async () => {
    const { key } = await server.createKey('free');
    const { code, printed } = await run(['models', 'test', 'test-max', '--json'], { TOLLGATE_API_KEY: key });
    expect(code).toBe(1);
    expect(JSON.parse(printed)).toMatchObject({
      ok: false,
      status: 400,
      error: expect.stringContaining('not in the Free plan'),
      microcredits: null,
    });
  });

  test('reports a wrong key at once', async () => {
    const { code, printed } = await run(['models', 'test', 'test-max', '--key', 'svc_wrong']);
    expect(code).toBe(1);
    expect(printed).toMatch(/^FAILED\nmodel .*\nstatus +401\n/);
  });

  test('says which key it needs if there is none, and which model is meant', async () => {
    expect(await run(['models', 'test', 'test-max'])).toEqual({
      code: 1,
      printed: '',
      remarked:
        'tollgate: no API key: pass one with --key or TOLLGATE_API_KEY, or an account that pays with --account.',
    });
    expect((await run(['models', 'test', 'test-smal'])).remarked).toContain('There is no such model');
  });
});

describe('requests and logs', () => {
  test('requests list has all formats of lists, and finds an account by its name', async () => {
    const { key } = await server.createKey('max');
    expect((await server.chat(key, 'test-max')).status).toBe(200);
    const list = ['requests', 'list', '--account', 'max'];
    await waitFor(async () => (await run([...list, '--jsonl'])).printed !== '');
    const [line] = (await run([...list, '--jsonl'])).printed.split('\n');
    expect(JSON.parse(line!)).toMatchObject({ model: 'test-max', status: 200 });
    const [titles, row] = (await run([...list, '--csv'])).printed.split('\n');
    expect(titles!.split(',')[0]).toBe('id');
    expect(row!.split(',')[0]).toEqual(JSON.parse(line!).id);
    const { code, remarked } = await run([...list, '--after', 'req_unknown']);
    expect({ code, remarked }).toEqual({
      code: 1,
      remarked: 'tollgate: after is not the id of a kept request.',
    });
  });

  test('logs tail prints each request once, as it ends, until it is interrupted', async () => {
    const { key } = await server.createKey('launch');
    const options = ['--account', 'launch', '--interval', '0.1', ...local()];
    const program = spawnProgram(['logs', 'tail', '--json', ...options]);
    const lines = () => program.stdout().split('\n').slice(0, -1);
    await server.chat(key, '@svc/test-small');
    await waitFor(() => lines().length === 1);
    await server.chat(key, 'no-such-model');
    await waitFor(() => lines().length === 2);
    expect(lines().map((line) => JSON.parse(line).status)).toEqual([200, 404]);
    program.signal('SIGINT');
    expect(await program.exited).toBe(130);
    const text = (await run(['logs', 'tail', '--account', 'launch', '--status', '4xx', '--count', '1']))
      .printed;
    expect(text).toMatch(/^\S+Z {2}404 {2}req_\S+ {2}no-such-model {2}- {2}\d+ ms .*unknown_model: /);
  });
});

test('audit list filters by actor, action, target and time', async () => {
  const account = await server.createAccount('starter');
  const args = ['audit', 'list', '--target', account, '--action', 'account-create', '--actor', 'admin'];
  const { printed } = await run([...args, '--since', '2026-01-01', '--jsonl']);
  expect(printed.split('\n').map((line) => JSON.parse(line))).toMatchObject([{ target: account }]);
  expect((await run([...args, '--since', '2999-01-01', '--jsonl'])).printed).toBe('');
  expect((await run(['audit', 'list', '--since', 'now'])).remarked).toBe(
    'tollgate: since must be a time like 2026-11-22T10:00:00Z.',
  );
});

describe('doctor with a running server', () => {
  const examine = async (args: string[], more = {}) => {
    const { code, printed, remarked } = await run(['doctor', '--json', ...args], more);
    return { code, remarked, findings: printed === '' ? [] : (JSON.parse(printed).findings as Finding[]) };
  };
  const messages = (findings: Finding[], check: string) =>
    findings.filter((finding) => finding.check === check).map(({ message }) => message);

  for (const [how, args] of [
    ['on the data directory', local],
    ['of a profile', () => []],
  ] as const)
    test(`reads the environment and the configuration of the server ${how}`, async () => {
      const { code, findings } = await examine(args());
      expect({ code, findings: findings.filter(({ status }) => status === 'fail') }).toEqual({
        code: 0,
        findings: [],
      });
      expect(messages(findings, 'server')).toEqual([`${server.url} answers; the checks use its environment`]);
      // Read here, the file would lack MAX_USD.
      expect(messages(findings, 'configuration')[0]).toMatch(
        /tollgate.*is valid, and generation 1 is served$/,
      );
      expect(messages(findings, 'store')).toEqual(['the running server reads and writes its store']);
      expect(messages(findings, 'live')).toEqual([]);
    });

  test('calls providers from the server with --live only', async () => {
    const { findings } = await examine([...local(), '--live']);
    expect(messages(findings, 'live').length).toBeGreaterThan(3);
  });

  test('also checks a file that the server does not use', async () => {
    const other = join(directory, 'next.yaml');
    writeFileSync(other, 'server:\n  port: many\n');
    const { code, findings } = await examine([...local(), '--config', other]);
    expect(code).toBe(1);
    expect(messages(findings, 'configuration').join('\n')).toContain('next.yaml:2:3 server.port');
    expect(messages(findings, 'server')).toHaveLength(1);
  });

  test('says so if the server cannot be asked, and checks the machine', async () => {
    const { findings } = await examine([...local(), '--admin-token', 'wrong']);
    expect(findings[0]).toMatchObject({ check: 'server', status: 'warn' });
    expect(findings[0]!.message).toStartWith('the running server cannot be asked (');
    expect(messages(findings, 'limits')).toHaveLength(1);
    const { code, remarked } = await examine(['--url', 'http://127.0.0.1:9', '--admin-token', 't']);
    expect({ code, remarked }).toEqual({
      code: 1,
      remarked: 'tollgate: cannot reach http://127.0.0.1:9: is the server running?',
    });
  });
});

test('a program prints the completion that bash loads', async () => {
  const { code, stdout } = await runProgram(['completion', 'bash']);
  const { exitCode } = Bun.spawnSync(['bash', '-c', `${stdout}\ncomplete -p tollgate`]);
  expect({ code, exitCode }).toEqual({ code: 0, exitCode: 0 });
});
