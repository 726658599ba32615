import { expect, test } from 'bun:test';
import type { Json } from '../support/call.ts';
import { HIDDEN } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

/** Starts an upstream whose answers to probes are set, and whose models answer well. */
function startProbed() {
  const state = { status: 200, probes: [] as { path: string; key: string | null }[], calls: 0 };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method === 'GET') {
        state.probes.push({ path: pathname, key: request.headers.get('authorization') });
        return new Response('{}', { status: state.status });
      }
      state.calls++;
      const message = { role: 'assistant', content: 'hi' };
      return Response.json({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      });
    },
  });
  return { state, url: `http://127.0.0.1:${server.port}/v1`, stop: () => server.stop(true) };
}

const first = startProbed();
const second = startProbed();
const INTERVAL_S = 0.2;
const configWith = (probe: object | null) => ({
  simulator: { mode: 'off' },
  providers: [
    { id: `${HIDDEN}-a`, wire: 'openai-chat', base_url: first.url, api_key: 'probe-key', probe },
    { id: `${HIDDEN}-b`, wire: 'openai-chat', base_url: second.url },
  ],
  catalog: {
    default: false,
    models: [
      sampleModel('one', {
        routes: [
          { provider: `${HIDDEN}-a`, model: 'm', weight: 2 },
          { provider: `${HIDDEN}-b`, model: 'm', weight: 1 },
        ],
      }),
    ],
  },
});

test('probes detect the loss and the return of a provider before a request does', async () => {
  const server = await startServer({ config: configWith({ interval_s: INTERVAL_S, path: '/health' }) });
  const shown = async (name = 'a'): Promise<Json> =>
    (await server.admin('GET', `/providers/${HIDDEN}-${name}`)).body;
  await waitFor(async () => (await shown()).last_probe?.ok === true);
  expect(first.state.probes[0]).toEqual({ path: '/v1/health', key: 'Bearer probe-key' });
  expect({ probeCount: second.state.probes.length, last_probe: (await shown('b')).last_probe }).toEqual({
    probeCount: 0,
    last_probe: null,
  });

  first.state.status = 500;
  await waitFor(async () => (await shown()).last_probe.ok === false);
  const { key } = await server.createKey('enterprise');
  // The first target answers requests successfully, and would receive all of them.
  await waitFor(async () => {
    expect((await server.chat(key, 'one')).status).toBe(200);
    return second.state.calls > 0;
  });

  first.state.status = 202; // any success will do
  await waitFor(async () => (await shown()).last_probe.ok === true);
  const before = first.state.calls;
  await waitFor(async () => {
    await server.chat(key, 'one');
    return first.state.calls > before;
  });

  first.state.status = 401; // it is noticed without a refused request
  await waitFor(async () => (await shown()).key_refused_since !== null);
  expect(server.log().split('"event":"provider-key-refused"').length).toBe(2);
  first.state.status = 404; // it is there, and does not know the path
  await waitFor(async () => (await shown()).last_probe.ok === true);

  server.configure(configWith(null));
  expect((await server.reload()).status).toBe(200);
  await Bun.sleep(20);
  const probes = first.state.probes.length;
  await Bun.sleep(INTERVAL_S * 3_000);
  expect(first.state.probes.length).toBe(probes);
  expect(await server.stop()).toBe(0);
});

test('an unanswered probe does not delay the stop of the server', async () => {
  const silent = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Promise<Response>(() => {}) });
  const server = await startServer({
    config: {
      providers: [
        {
          id: 'silent',
          wire: 'openai-chat',
          base_url: `http://127.0.0.1:${silent.port}/v1`,
          probe: { interval_s: 60 },
        },
      ],
    },
  });
  await waitFor(() => silent.pendingRequests > 0);
  expect(await server.stop()).toBe(0);
  await waitFor(() => silent.pendingRequests === 0);
  await silent.stop(true);
});

test('refuses a probe of Bedrock with its place, since its models are listed elsewhere', async () => {
  const provider = { id: 'x', wire: 'bedrock-converse', base_url: 'https://example.org', probe: {} };
  const starting = startServer({ config: { providers: [provider] } });
  await expect(starting).rejects.toThrow(/probe.*is not supported on the wire bedrock-converse/);
});
