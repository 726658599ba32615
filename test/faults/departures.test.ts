import { afterAll, beforeEach, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { bearer, call, chatBody } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import {
  answerSlowly,
  answerWell,
  chatStream,
  startRecordingUpstream,
  streamed,
} from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { DONE } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { openStream } from './faulty-gateway.ts';

// The upstream call, the concurrency and the credit of clients that leave.

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({
  config: { ...config, providers: config.providers.map((one) => ({ ...one, max_concurrent: 2 })) },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
beforeEach(() => upstream.forget());

const MODEL = 'hidden-test-small';
const usageOf = async (key: CreatedKey) =>
  (await usageEntries(server, key.account)).map(({ receipt }) => receipt);
const callsOf = (model = MODEL) => upstream.requests.filter(({ body }) => body?.model === model);
const slots = async () => {
  const { body } = await server.admin('GET', '/providers/hidden-openai-chat');
  return [body.slots_in_use, body.queue_length];
};

/** A request on a bare socket, so that it can leave in any way. */
function sendRaw(key: string): { first: Promise<unknown>; leave(how: 'end' | 'resetAndDestroy'): void } {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const body = JSON.stringify(chatBody('test-small', { stream: true }));
  socket.on('error', () => {});
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  );
  const first = new Promise((resolve) => socket.once('data', resolve));
  return { first, leave: (how) => void (how === 'end' ? socket.destroy() : socket.resetAndDestroy()) };
}

for (const how of ['end', 'resetAndDestroy'] as const) {
  const name = how === 'end' ? 'closing' : 'resetting';
  test(`a client that leaves by ${name} ends the upstream call and pays for the output`, async () => {
    const key = await server.createKey('pro');
    upstream.answer(MODEL, answerSlowly().answer);
    const client = sendRaw(key.key);
    await client.first;
    client.leave(how);
    await waitFor(() => callsOf()[0]!.aborted());
    await waitFor(async () => (await usageOf(key)).length === 1);
    expect(await usageOf(key)).toMatchObject([{ outcome: 'left', estimated: true }]);
    expect((await slots())[0]).toBe(0);
    upstream.answer(MODEL, answerWell);
    expect((await server.chat(key.key, 'test-small')).status).toBe(200);
  });
}

test('a client that disconnects just before the end pays for the whole answer', async () => {
  const key = await server.createKey('pro');
  const gate = Promise.withResolvers<void>();
  upstream.answer(MODEL, () =>
    streamed(
      new ReadableStream({
        async start(controller) {
          // Sends all events, usage included, except the last line.
          controller.enqueue(new TextEncoder().encode(chatStream(MODEL).replace(DONE, '')));
          await gate.promise;
          controller.close();
        },
      }),
    ),
  );
  const client = sendRaw(key.key);
  await client.first;
  client.leave('end');
  await waitFor(async () => (await usageOf(key)).length === 1);
  gate.resolve();
  const [entry] = await usageEntries(server, key.account);
  expect({
    input_tokens: entry.input_tokens,
    output_tokens: entry.output_tokens,
    estimated: entry.receipt.estimated,
  }).toEqual({ input_tokens: 7, output_tokens: 3, estimated: false });
});

test('a client that leaves the queue causes no call and pays nothing', async () => {
  const key = await server.createKey('pro');
  const slow = answerSlowly();
  upstream.answer(MODEL, slow.answer);
  const running = [openStream(server.url, key.key), openStream(server.url, key.key)];
  await waitFor(() => callsOf().length === 2);
  const leaving = new AbortController();
  const queued = call(`${server.url}/v1/chat/completions`, {
    headers: bearer(key.key),
    body: chatBody('test-small'),
    signal: leaving.signal,
  }).catch(() => 'left');
  await waitFor(async () => (await slots())[1] === 1);
  leaving.abort();
  expect(await queued).toBe('left');
  await waitFor(async () => (await slots())[1] === 0);
  slow.release();
  for (const response of await Promise.all(running)) await response.text();
  expect(callsOf()).toHaveLength(2);
  expect(await usageOf(key)).toHaveLength(2);
});
