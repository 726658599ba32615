import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, chatBody } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { fullTest } from '../support/full-test.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { spawnProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

// Nearly every test starts a server of its own, some of them three.
setDefaultTimeout(60_000);
const directory = mkdtempSync(join(tmpdir(), 'tollgate-signals-'));
const upstream = startRecordingUpstream();
afterAll(async () => {
  await upstream.stop();
  rmSync(directory, { recursive: true });
});

describe('SIGTERM', () => {
  const chatStream = ({ url, firstKey }: Pick<TestServer, 'url' | 'firstKey'>) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: bearer(firstKey),
      body: JSON.stringify(chatBody('test-plain', { stream: true })),
    });
  const messagesStream: typeof chatStream = ({ url, firstKey }) =>
    fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': firstKey },
      body: JSON.stringify(chatBody('test-plain', { stream: true, max_tokens: 50 })),
    });

  /** Starts a server with a stream in its middle. */
  async function streaming(drainSeconds = 30, ask = chatStream) {
    const slow = answerSlowly();
    upstream.answer('hidden-test-plain', slow.answer);
    const config = sampleConfig(upstream.url);
    const server = await startServer({
      config: { ...config, server: { drain_notice_s: 0, drain_s: drainSeconds } },
    });
    const response = await ask(server);
    return { server, response, release: slow.release };
  }

  const refusesConnections = (url: string): Promise<boolean> => {
    const { hostname, port } = new URL(url);
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.destroy();
        resolve(false);
      });
      socket.on('error', () => resolve(true));
    });
  };

  test('accepts no new connections, lets a stream end and exits with 0 [ADM-14]', async () => {
    const { server, response, release } = await streaming();
    server.signal('SIGTERM');
    await waitFor(() => refusesConnections(server.url));
    await Bun.sleep(100);
    expect(server.hasEnded()).toBe(false);
    release();
    const text = await response.text();
    expect(text.match(/"content":"[^"]+"/g)).toEqual(['"content":"one "', '"content":"two"']);
    expect(text).toEndWith('data: [DONE]\n\n');
    expect(await server.exited).toBe(0);
    await server.stop();
  });

  for (const [dialect, ask, lastWord] of [
    ['chat completions', chatStream, /\n\ndata: (\{"error":.*\})\n\n$/],
    ['messages', messagesStream, /\n\nevent: error\ndata: (\{"type":"error",.*\})\n\n$/],
  ] as const) {
    test(`ends a stream of ${dialect} with an error when drain_s is over [ADM-14]`, async () => {
      upstream.forget();
      const { server, response } = await streaming(0.3, ask);
      const ended = response.text();
      server.signal('SIGTERM');
      const text = await ended; // not cut: its ending is whole
      const { error } = JSON.parse(lastWord.exec(text)![1]!);
      expect(error).toMatchObject({
        code: 'capacity_unavailable',
        message: 'The server is shutting down; retry the request.',
      });
      expect(text).not.toContain('[DONE]');
      expect(await server.exited).toBe(0);
      expect(server.log()).toContain('"event":"drain-cut","requests":1');
      await waitFor(() => upstream.requests[0]!.aborted());
      await server.stop();
    });
  }

  test('answers requests without a first byte when drain_s is over [ADM-14]', async () => {
    upstream.answer('hidden-test-plain', () => new Promise(() => {}));
    const config = sampleConfig(upstream.url);
    const server = await startServer({ config: { ...config, server: { drain_notice_s: 0, drain_s: 0.3 } } });
    upstream.forget();
    const answers = [{}, { stream: true }].map((how) => server.chat(server.firstKey, 'test-plain', how));
    await waitFor(() => upstream.requests.length === 2);
    server.signal('SIGTERM');
    for (const answer of answers) expectRefusal(await answer, 503, 'capacity_unavailable');
    expect({ exited: await server.exited, errors: server.errors() }).toEqual({ exited: 0, errors: '' });
    await server.stop();
  });

  /** Opens a connection and sends a request over it. `refused`: the connection never began. */
  const connectAndAsk = (port: number): Promise<'served' | 'refused' | 'lost'> =>
    new Promise((resolve) => {
      let isConnected = false;
      let text = '';
      const socket = connect(port, '127.0.0.1', () => {
        isConnected = true;
        socket.write(`GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
      });
      socket.on('data', (bytes) => {
        text += bytes;
      });
      socket
        .on('error', () => {})
        .on('close', () => {
          if (!isConnected) resolve('refused');
          else resolve(text.startsWith('HTTP/1.1 ') ? 'served' : 'lost');
        });
    });

  fullTest('resets no connection that began before the server refuses connections [ADM-14]', async () => {
    const server = await startServer({
      config: { catalog: { default: false }, server: { drain_notice_s: 0.1 } },
    });
    const port = Number(new URL(server.url).port);
    const outcomes = new Set<string>();
    const client = async () => {
      for (;;) {
        const outcome = await connectAndAsk(port);
        outcomes.add(outcome);
        if (outcome === 'refused') return;
      }
    };
    server.signal('SIGTERM');
    await Promise.all(Array.from({ length: 20 }, client));
    expect([...outcomes].sort()).toEqual(['refused', 'served']);
    expect({ exited: await server.exited, errors: server.errors() }).toEqual({ exited: 0, errors: '' });
    await server.stop();
  });

  test('ends the server at once when it is repeated', async () => {
    const { server, response } = await streaming();
    const ended = response.text().catch(() => 'cut');
    server.signal('SIGTERM');
    await waitFor(() => refusesConnections(server.url));
    server.signal('SIGTERM');
    expect(await server.exited).toBe(1);
    expect(await ended).not.toContain('[DONE]');
    await server.stop();
  });

  test('ends an idle server after the notice; SIGINT skips the notice and exits with 130 [ADM-14]', async () => {
    for (const [signal, drain_notice_s, code] of [
      ['SIGTERM', 0.1, 0],
      ['SIGINT', 3_600, 130],
    ] as const) {
      const server = await startServer({
        config: { catalog: { default: false }, server: { drain_notice_s } },
      });
      await server.call('/v1/models'); // leaves an idle connection
      server.signal(signal);
      expect(await server.exited).toBe(code);
      const steps = [...server.log().matchAll(/"event":"(drain-\w+|stopped)"/g)].map(([, step]) => step);
      expect(steps).toEqual(['drain-started', 'drain-closed', 'stopped']);
      expect(server.log()).toContain(`"notice_s":${signal === 'SIGTERM' ? 0.1 : 0},`);
      await server.stop();
    }
  });

  test('is announced to load balancers for 5 s by default, while clients are served and sent elsewhere [ADM-14] [ADM-16]', async () => {
    const server = await startServer({ config: 'catalog: { default: false }\n' });
    server.signal('SIGTERM');
    await waitFor(() => server.log().includes('"event":"drain-started","notice_s":5,'));
    const ready = await server.call('/readyz');
    expect({ status: ready.status, body: ready.body, connection: ready.headers.get('connection') }).toEqual({
      status: 503,
      body: { status: 'draining' },
      connection: 'close',
    });
    const models = await server.call('/v1/models');
    expect({ status: models.status, connection: models.headers.get('connection') }).toEqual({
      status: 200,
      connection: 'close',
    });
    server.signal('SIGINT');
    expect(await server.exited).toBe(130);
    expect(server.log()).not.toContain('drain-closed');
    await server.stop();
  });
});

describe('SIGHUP', () => {
  test('during the stop does not change the exit code', async () => {
    const server = await startServer({ config: sampleConfig(upstream.url) });
    for (let signal = 0; signal < 20; signal++) server.signal('SIGHUP');
    server.signal('SIGTERM');
    for (let signal = 0; signal < 20; signal++) server.signal('SIGHUP');
    expect({ exited: await server.exited, errors: server.errors() }).toEqual({ exited: 0, errors: '' });
    await server.stop();
  });

  test('with an invalid file does not change the exit code of a later stop', async () => {
    const server = await startServer({ config: { catalog: { default: false } } });
    renameSync(server.dataDirectory, `${server.dataDirectory}.away`);
    server.signal('SIGHUP');
    await waitFor(() => server.log().includes('"event":"reload-failed"'));
    server.signal('SIGTERM');
    expect({ exited: await server.exited, errors: server.errors() }).toEqual({ exited: 0, errors: '' });
    await server.stop();
  });
});

describe('a signal during the start', () => {
  /** A server whose configuration is a pipe: until it is written, the start waits. */
  function startOnPipe() {
    const pipe = join(directory, `${crypto.randomUUID()}.yaml`);
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
    const data = join(directory, crypto.randomUUID());
    const program = spawnProgram(['serve', '--port', '0', '--data', data, '--config', pipe]);
    return { program, pipe };
  }

  test('SIGTERM takes effect when the server is ready, with exit code 0', async () => {
    const { program, pipe } = startOnPipe();
    await appendWhenRead(pipe, () => program.signal('SIGTERM'));
    const { code, stdout, stderr } = await program.finished();
    expect(code).toBe(0);
    expect(stdout).toContain('"event":"ready"');
    expect(stderr).toBe('');
    expect(stdout).toContain('"event":"drain-started","notice_s":0,');
  });

  fullTest('SIGTERM ends a start that waits for Postgres, with exit code 0', async () => {
    const data = join(directory, crypto.randomUUID());
    const program = spawnProgram(['serve', '--port', '0', '--data', data], {
      DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d',
    });
    await waitFor(() => program.stdout().includes('"event":"database-awaited"'), 30_000);
    program.signal('SIGTERM');
    const { code, stderr } = await program.finished();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('SIGHUP reloads when the server is ready', async () => {
    const { program, pipe } = startOnPipe();
    await appendWhenRead(pipe, () => program.signal('SIGHUP'));
    await waitFor(() => program.stdout().includes('"event":"ready"'));
    await appendWhenRead(pipe, () => {});
    await waitFor(() => program.stdout().includes('"event":"reloaded"'));
    program.signal('SIGINT');
    expect((await program.finished()).code).toBe(130);
  });

  /** Opening a pipe for writing waits for its reader. */
  async function appendWhenRead(pipe: string, then: () => void): Promise<void> {
    const file = await open(pipe, 'w');
    then();
    await Bun.sleep(50);
    await file.write('catalog: { default: false }\n');
    await file.close();
  }
});
