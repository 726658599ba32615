import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { openRawClient, type RawClient, rawRequest } from '../support/raw-client.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

// Every address of 127.0.0.0/8 is this machine. Each counts as a separate network.
const ATTACKER = '127.0.0.2';
const BYSTANDER = '127.0.0.3';
const PROXY = '127.0.0.4';

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const servers: TestServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await upstream.stop();
});

async function start(settings: Record<string, unknown>, descriptors?: number): Promise<TestServer> {
  const server = await startServer({
    config: { ...config, server: settings },
    ...(descriptors && { descriptors }),
  });
  servers.push(server);
  return server;
}

const opened = (server: TestServer, count: number, from: string): RawClient[] =>
  Array.from({ length: count }, () => openRawClient(server.url, { from }));
const openOnes = (clients: readonly RawClient[]) => clients.filter((client) => !client.isClosed());
const modelRequest = rawRequest('GET /v1/models/test-plain');

/** Sends a bystander's request on a new connection, and connects again if it was not answered. */
async function expectService(server: TestServer, from = BYSTANDER): Promise<void> {
  await waitFor(async () => {
    const client = openRawClient(server.url, { from });
    client.send(modelRequest);
    await Promise.race([waitFor(() => client.received() !== '' || client.isClosed()), Bun.sleep(1_000)]);
    const isServed = client.received().includes('200 OK');
    client.leave();
    return isServed;
  });
}

const small = await start({}, 600);
const bounded = await start({ connections_per_network: 10, trusted_proxies: [PROXY] });

test('640 idle connections of one network at 600 descriptors do not block other networks', async () => {
  const server = small;
  const attackers = opened(server, 640, ATTACKER);
  for (const client of attackers) client.send(modelRequest);
  await expectService(server);
  // The network may use a quarter of the descriptors.
  // If they run out earlier, idle connections are closed at once.
  await waitFor(() => openOnes(attackers).length <= 150);
  await expectService(server);
  await expectService(server, ATTACKER);
  for (const client of attackers) client.leave();
});

test('only quiet connections of a network with too many are closed', async () => {
  const server = bounded;
  const { key } = await server.createKey('enterprise');
  const slow = answerSlowly();
  upstream.answer('hidden-test-plain', slow.answer);
  const body = chatBody('test-plain', { stream: true });
  const streams = opened(server, 12, ATTACKER);
  for (const client of streams)
    client.send(rawRequest('POST /v1/chat/completions', { headers: bearer(key), body }));
  await waitFor(() => streams.every((client) => client.received().includes('one ')));
  const silent = opened(server, 20, ATTACKER);
  const ofProxy = opened(server, 30, PROXY);
  for (const client of ofProxy) client.send(modelRequest);
  await waitFor(() => openOnes(silent).length === 0);
  await waitFor(() => server.log().includes('"event":"network-crowded","network":"127.0.0.2"'));
  await expectService(server);
  slow.release();
  await waitFor(() => streams.every((client) => client.received().includes('[DONE]')));
  await waitFor(() => openOnes(streams).length === 10);
  expect(openOnes(ofProxy).length).toBe(30);
  for (const client of [...streams, ...ofProxy]) client.leave();
});

test('idle WebSockets of one network count for its limit', async () => {
  const { key } = await bounded.createKey('enterprise');
  const headers = {
    ...bearer(key),
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const clients = opened(bounded, 14, ATTACKER);
  for (const client of clients) client.send(rawRequest('GET /v1/responses', { headers }));
  await waitFor(() => openOnes(clients).length === 10);
  for (const client of openOnes(clients)) expect(client.received()).toStartWith('HTTP/1.1 101 ');
  for (const client of clients) client.leave();
});
