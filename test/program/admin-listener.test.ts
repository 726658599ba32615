import { afterAll, expect, test } from 'bun:test';
import { bearer, call, chatBody } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

/** Answers nothing until it is released. */
const held = Promise.withResolvers<void>();
let asked = 0;
const upstream = Bun.serve({
  port: 0,
  idleTimeout: 0,
  async fetch() {
    asked++;
    await held.promise;
    return Response.json({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'late' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  },
});
const config = sampleConfig(`http://127.0.0.1:${upstream.port}`);
const server = await startServer({
  config: { ...config, server: { admin_listen: '127.0.0.1:0', drain_s: 30 } },
});
afterAll(async () => {
  held.resolve();
  await server.stop();
  await upstream.stop(true);
});
const publicUrl = /"base_url":"([^"]+)\/v1"/.exec(server.log())![1]!;

test('a server whose second listener has no free port says so and does not start', async () => {
  const { host } = new URL(server.url);
  const environment = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  for (const workers of [{}, { options: ['--workers', '2'], environment }])
    await expect(
      startServer({ config: { ...config, server: { admin_listen: host } }, ...workers }),
    ).rejects.toThrow(
      `The address ${host} is in use: choose another server.admin_listen, or stop the program that uses it. The server did not start.`,
    );
});

test('the pages for operators exist only on the listener for operators', async () => {
  const headers = { accept: 'text/html' };
  for (const path of ['/operator', '/operator/accounts', '/operator/people/x']) {
    expect({ path, status: (await call(publicUrl + path, { headers })).status }).toEqual({
      path,
      status: 404,
    });
    expect({ path, status: (await server.call(path, { headers })).status }).toEqual({ path, status: 200 });
  }
  for (const path of ['/', '/sign-in']) expect((await call(publicUrl + path, { headers })).status).toBe(200);
});

test('during a drain the listener for operators still answers probes and scrapes', async () => {
  const { key } = await server.createKey('enterprise');
  const answer = call(`${publicUrl}/v1/chat/completions`, {
    headers: bearer(key),
    body: chatBody('test-plain'),
  });
  await waitFor(() => asked === 1);
  server.signal('SIGTERM');
  await waitFor(() =>
    call(`${publicUrl}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  const ready = await server.call('/readyz');
  expect({ status: ready.status, body: ready.body }).toEqual({ status: 503, body: { status: 'draining' } });
  // The request of the client, and the scrape itself.
  expect((await server.call('/metrics')).text).toContain('\ntollgate_in_flight_requests 2\n');
  held.resolve();
  expect((await answer).status).toBe(200);
  expect(await server.exited).toBe(0);
});
