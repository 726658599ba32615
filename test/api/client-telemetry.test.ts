import { afterAll, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

type Received = { path: string; type: string | null; key: string | null; body: string };

test('telemetry of clients is forwarded with the ids of the account and of the key', async () => {
  const received: Received[] = [];
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { headers } = request;
      const body = Buffer.from(await request.arrayBuffer()).toString('latin1');
      const type = headers.get('content-type');
      const key = headers.get('x-collector-key');
      received.push({ path: new URL(request.url).pathname, type, key, body });
      return new Response();
    },
  });
  const otlp = { endpoint: `http://127.0.0.1:${receiver.port}/base`, headers: { 'x-collector-key': 'k' } };
  const server = await startServer({
    config: { claude_code: { telemetry: 'forward' }, telemetry: { otlp: { ...otlp, sample: 0 } } },
  });
  afterAll(async () => {
    await server.stop();
    await receiver.stop(true);
  });
  const { key, id, account } = await server.createKey('starter');
  const send = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    server.call(path, { headers: { ...bearer(key), 'content-type': type }, body });
  const log = JSON.stringify({
    resourceLogs: [{ resource: { attributes: [] }, scopeLogs: [{ logRecords: [] }] }],
  });
  expect((await send('/v1/logs', 'application/json', log)).status).toBe(200);
  expect((await send('/v1/metrics', 'application/x-protobuf', new Uint8Array([10, 2, 10, 0]))).status).toBe(
    200,
  );
  const fromClients = () =>
    received.filter(({ body }) => body.includes('key.id') && body.includes(id) && body.includes(account));
  await waitFor(() => fromClients().length === 2);
  expect(
    fromClients()
      .map(({ path, type, key: sent }) => [path, type, sent])
      .sort(),
  ).toEqual([
    ['/base/v1/logs', 'application/json', 'k'],
    ['/base/v1/metrics', 'application/x-protobuf', 'k'],
  ]);
  expect((await send('/v1/logs', 'application/json', '{')).status).toBe(400);
  expect((await send('/v1/traces', 'application/x-protobuf', 'no message')).status).toBe(400);
  const metrics = (await server.call('/metrics')).text;
  expect(metrics).toContain('tollgate_telemetry_exported_total{signal="client_logs"} 1');
});

test('forwarding needs a receiver', async () => {
  const config = { claude_code: { telemetry: 'forward' } };
  const failed = await startServer({ config }).then(
    (server) => server.stop(),
    (error: Error) => error.message,
  );
  expect(failed).toContain('claude_code.telemetry');
  expect(failed).toContain('needs telemetry.otlp.endpoint');
});
