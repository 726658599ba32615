import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, call, chatBody } from '../support/call.ts';
import { endWithUs } from '../support/end-with-us.ts';
import { freePort } from '../support/free-port.ts';
import { fullTest } from '../support/full-test.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { runProgram, spawnProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, simulated } from '../support/wire-models.ts';

// Nearly every test starts at least one server. A server without the default catalog starts in half the time.
setDefaultTimeout(60_000);
const noCatalog = 'catalog: { default: false }\n';
const noNotice = 'server: { drain_notice_s: 0 }\n';
const smallCatalog = {
  catalog: { default: false, models: [ableModel('gpt-4.1', [simulated('openai-chat')])] },
};
const directory = mkdtempSync(join(tmpdir(), 'tollgate-start-'));
const upstream = startRecordingUpstream();
afterAll(async () => {
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

describe('a server without any configuration, on a terminal', async () => {
  const server = await startServer({ terminal: true });
  afterAll(server.stop);
  const row = (name: string): string => new RegExp(`^ *${name}: +(.*)$`, 'm').exec(server.log())?.[1] ?? '';

  test('prints its address, the dashboard and the admin token [ADM-02]', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(row('Address')).toBe(server.url);
    expect(row('Dashboard')).toBe(`${server.url}/`);
    expect(row('Admin sign-in')).toStartWith(`${server.adminToken} `);
  });

  test('prints a first key that works, and stores it in a file that only its owner can read [ADM-02]', async () => {
    expect(row('First API key')).toStartWith(`${server.firstKey} `);
    for (const name of ['first-key', 'admin-token'])
      expect([name, statSync(join(server.dataDirectory, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect((await server.chat(server.firstKey, 'gpt-4.1')).status).toBe(200);
  });

  test('prints a curl command that works when pasted [ADM-02]', async () => {
    const line = /^curl .*$/m.exec(server.log())![0];
    const shell = Bun.spawn(['sh', '-c', `${line} --silent --show-error`], {
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const answer = JSON.parse(await shell.stdout.text());
    expect({ exited: await shell.exited, object: answer.object }).toEqual({
      exited: 0,
      object: 'chat.completion',
    });
    expect(answer.choices[0].message.content).toStartWith('[simulated]');
  });

  test('answers from the simulator and says so', () => {
    expect(row('Simulated')).toBe('all models, free of charge, until a provider is set up');
  });

  test('has a data directory that only its owner can open', () => {
    expect(statSync(server.dataDirectory).mode & 0o077).toBe(0);
  });
});

describe('a server whose output is collected', async () => {
  const server = await startServer({ config: smallCatalog });
  afterAll(server.stop);

  test('writes JSON lines only, which name the files of its secrets and never contain them [ADM-02]', async () => {
    await server.chat(server.firstKey, 'gpt-4.1');
    await waitFor(() => server.log().includes('"route":"/v1/chat/completions"'));
    const [first] = server
      .log()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({
      event: 'ready',
      url: server.url,
      admin_token_file: join(server.dataDirectory, 'admin-token'),
      first_key_file: join(server.dataDirectory, 'first-key'),
    });
    for (const secret of [server.adminToken, server.firstKey])
      expect((server.log() + server.errors()).includes(secret)).toBe(false);
  });
});

describe('options and the environment', () => {
  test('set port, address, data directory and file [ADM-05]', async () => {
    const port = await freePort();
    const server = await startServer({
      config: `brand: acme\n${noCatalog}`,
      options: ['--port', String(port), '--host', '127.0.0.2', '--workers', '1'],
    });
    expect(server.url).toBe(`http://127.0.0.2:${port}`);
    expect((await server.call('/v1/models')).headers.get('x-acme-request-id')).toStartWith('req_');
    expect(existsSync(join(server.dataDirectory, 'admin-token'))).toBe(true);
    expect(await server.stop()).toBe(0);
  });

  test('default to port 8080 on the loopback interface, and ./data [ADM-05]', async () => {
    const place = mkdtempSync(join(directory, 'bare-'));
    const program = spawnProgram(['serve'], {}, { directory: place });
    await waitFor(() => program.hasEnded() || program.stdout().includes('"event":"ready"'));
    const reported = program.hasEnded()
      ? program.stderr() // another program on this machine has the port
      : readFileSync(join(place, 'data', 'address'), 'utf8').trim();
    program.signal('SIGINT');
    await program.exited;
    expect(reported).toMatch(/^http:\/\/127\.0\.0\.1:8080$|\b8080\b.*--port/s);
    expect(existsSync(join(place, 'data', 'tollgate.db'))).toBe(true);
  });

  fullTest('put a model of the provider in the curl line, if its key is set [ADM-02]', async () => {
    const server = await startServer({ environment: { OPENAI_API_KEY: 'sk-none' }, terminal: true });
    const model = /"model":"([^"]+)"/.exec(server.log())![1]!;
    const { body } = await server.admin('GET', `/catalog/${encodeURIComponent(model)}`);
    await server.stop();
    expect(body.routes[0].provider).toBe('openai');
  });

  test('npm start passes the arguments after -- to the program [ADM-03]', async () => {
    const port = await freePort();
    const data = join(directory, 'npm-start');
    const file = join(directory, 'npm-start.yaml');
    writeFileSync(file, `brand: acme\n${noNotice}${noCatalog}`);
    const options = ['--port', String(port), '--data', data, '--config', file];
    const npm = Bun.spawn(['npm', 'start', '--', ...options], {
      cwd: join(import.meta.dir, '..', '..'),
      stdout: 'pipe',
      stderr: 'ignore',
    });
    endWithUs(npm);
    const url = `http://127.0.0.1:${port}`;
    const isUp = () =>
      call(`${url}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    try {
      await waitFor(isUp);
      expect((await call(`${url}/v1/models`)).headers.get('x-acme-request-id')).toStartWith('req_');
      expect(readFileSync(join(data, 'address'), 'utf8').trim()).toBe(url);
    } finally {
      npm.kill('SIGTERM');
      await npm.exited;
    }
    await waitFor(async () => !(await isUp()));
  });

  test('include TOLLGATE_CONFIG, PORT, DATA_DIR and TOLLGATE_ADMIN_TOKEN', async () => {
    const port = await freePort();
    const data = join(directory, 'from-environment');
    const file = join(directory, 'from-environment.yaml');
    writeFileSync(file, `brand: acme\nserver: { port: 1 }\nstore: { data_dir: /nowhere }\n${noCatalog}`);
    const token = 'a-token-of-the-environment';
    const server = await startServer({
      bare: true,
      dataDirectory: data,
      environment: { TOLLGATE_CONFIG: file, PORT: String(port), DATA_DIR: data, TOLLGATE_ADMIN_TOKEN: token },
    });
    expect({ url: server.url, adminToken: server.adminToken }).toEqual({
      url: `http://127.0.0.1:${port}`,
      adminToken: token,
    });
    expect((await server.admin('GET', '/accounts')).status).toBe(200);
    expect((await server.call('/v1/models')).headers.get('x-acme-request-id')).toStartWith('req_');
    expect(await server.stop()).toBe(0);
  });

  test('can set values of the file [ADM-20]', async () => {
    const config =
      'brand: ${' +
      'TEST_BRAND}\nresponses: { served_by_header: ${' +
      'TEST_FLAG:-false} }\nserver: { drain_s: ${' +
      `TEST_DRAIN:-7} }\n${noCatalog}`;
    const server = await startServer({ config, environment: { TEST_BRAND: 'acme', TEST_DRAIN: '3' } });
    expect((await server.call('/v1/models')).headers.get('x-acme-request-id')).toStartWith('req_');
    expect(await server.stop()).toBe(0);
    const file = join(directory, 'unset.yaml');
    writeFileSync(file, config);
    const { code, stderr } = await runProgram([
      'serve',
      '--port',
      '0',
      '--data',
      directory,
      '--config',
      file,
    ]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/unset\.yaml:1:\d+.*TEST_BRAND/),
    });
  });
});

describe('a start that fails', () => {
  const start = (text: string) => {
    const file = join(directory, 'wrong.yaml');
    writeFileSync(file, text);
    return runProgram(['serve', '--port', '0', '--data', join(directory, 'data'), '--config', file]);
  };

  for (const [what, text, place] of [
    ['an unknown field', 'server:\n  prot: 80\n', /wrong\.yaml:2:\d+.*server\.prot.*port/],
    ['a wrong type', 'server:\n  port: eighty\n', /wrong\.yaml:2:\d+.*server\.port.*must be/],
    ['a number out of range', '\n\nserver: { port: 70000 }\n', /wrong\.yaml:3:\d+.*server\.port.*65,?535/],
    [
      'an unknown provider',
      'catalog:\n  default: false\n  models:\n    - id: a\n      context_window: 1\n      pricing_usd_per_mtok: { input: 1, output: 1 }\n      routes:\n        - { provider: nobody, model: x }\n',
      /wrong\.yaml:8:\d+.*routes\[0\]\.provider.*nobody/,
    ],
  ] as const) {
    test(`for ${what} names file, line, field and expected value, in one line [ADM-19] [ADM-13]`, async () => {
      const { code, stdout, stderr } = await start(text);
      expect({ code, stdout, count: stderr.trim().split('\n').length }).toEqual({
        code: 1,
        stdout: '',
        count: 1,
      });
      expect(stderr).toMatch(place);
    });
  }

  test('names both models if two share a name [MOD-59]', async () => {
    const row = (id: string) =>
      `    - { id: "${id}", context_window: 1, pricing_usd_per_mtok: { input: 1, output: 1 } }\n`;
    const { code, stderr } = await start(
      `catalog:\n  default: false\n  models:\n${row('same')}${row('@svc/same')}`,
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/wrong\.yaml:5:\d+.*'same'.*'same'/);
  });

  test('says that another server uses the data directory [ADM-13]', async () => {
    const server = await startServer({ config: noCatalog });
    const { code, stderr } = await runProgram(['serve', '--port', '0', '--data', server.dataDirectory]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^tollgate: Another server is running [^\n]*\n$/),
    });
    expect((await server.call('/healthz')).status).toBe(200);
    await server.stop();
  });

  test('says that the port is in use [ADM-13]', async () => {
    const server = await startServer({ config: noCatalog });
    const options = ['--port', new URL(server.url).port];
    const child = startServer({ config: noCatalog, options });
    const outcome = await child.then(
      (second) => second.stop(),
      (error) => String(error),
    );
    await server.stop();
    expect(outcome).toContain(`port ${new URL(server.url).port} is in use: choose another with --port`);
  });

  test('says that nothing can listen on the host, as does the simulator', async () => {
    const data = join(directory, 'unheard');
    for (const [host, problem] of [
      ['192.0.2.1', 'is not an address of this machine'],
      ['none.invalid', 'is not a known address'],
    ] as const) {
      const sentence = `address ${host}:1 ${problem}: choose another --host.`;
      const listening = ['--port', '1', '--host', host];
      const serving = ['serve', ...listening, '--data', data];
      const onPostgres = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
      for (const { code, stderr } of [
        await runProgram(serving),
        await runProgram([...serving, '--workers', '2'], onPostgres),
      ])
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: `tollgate: The ${sentence} The server did not start.\n`,
        });
      const simulator = await runProgram(['simulate', ...listening]);
      expect([simulator.code, simulator.stderr]).toEqual([1, `tollgate: the ${sentence}\n`]);
    }
  });
});

test('accounts, keys, the admin token and the first key survive a restart', async () => {
  const data = join(directory, 'restarted');
  const before = await startServer({ config: smallCatalog, dataDirectory: data });
  const { account, key } = await before.createKey('pro');
  const revoked = await before.createKey('pro');
  await before.admin('DELETE', `/keys/${revoked.id}`);
  expect(await before.stop()).toBe(0);

  const after = await startServer({ config: smallCatalog, dataDirectory: data });
  expect({ adminToken: after.adminToken, firstKey: after.firstKey }).toEqual({
    adminToken: before.adminToken,
    firstKey: before.firstKey,
  });
  expect((await after.admin('GET', `/accounts/${account}`)).body.plan).toBe('pro');
  expect((await after.chat(key, 'gpt-4.1')).status).toBe(200);
  expect((await after.chat(revoked.key, 'gpt-4.1')).body.error.code).toBe('revoked_api_key');
  rmSync(join(data, 'first-key'));
  expect(await after.stop()).toBe(0);

  const again = await startServer({ config: smallCatalog, dataDirectory: data });
  expect(again.log()).not.toContain('first_key_file');
  expect(existsSync(join(data, 'first-key'))).toBe(false);
  expect(readFileSync(join(data, 'admin-token'), 'utf8').trim()).toBe(before.adminToken);
  expect(
    (
      await call(`${again.url}/v1/chat/completions`, {
        headers: bearer(before.firstKey),
        body: chatBody('gpt-4.1'),
      })
    ).status,
  ).toBe(200);
  await again.stop();
});

test('a server that cannot write its address drains, and says why it did not start', async () => {
  const data = join(directory, 'no-address');
  mkdirSync(join(data, 'address'), { recursive: true, mode: 0o700 });
  const { code, stdout, stderr } = await runProgram(['serve', '--port', '0', '--data', data]);
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('address cannot be used (EISDIR)')]);
  const events = stdout.match(/"event":"[a-z-]+"/g);
  expect(events).toEqual(['"event":"drain-started"', '"event":"drain-closed"', '"event":"stopped"']);
});
