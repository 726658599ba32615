import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { isLong } from '../support/is-long.ts';
import { openRawClient, type RawClient, rawRequest, statusIn } from '../support/raw-client.ts';
import { answerSlowly, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

// Connections that stay open without using the server. Requests of a bystander are served at the same time.

const TIMEOUT_S = isLong ? 2 : 1;
const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({
  config: {
    ...config,
    server: { idle_timeout_s: TIMEOUT_S, header_timeout_s: 1, body_timeout_s: TIMEOUT_S },
    limits: { stalled_write_s: TIMEOUT_S },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(() => upstream.answer(MODEL, answerWell));
const { key } = await server.createKey('enterprise');
const CHAT = '/v1/chat/completions';
const MODEL = 'hidden-test-max'; // the bystander uses another
const MEGABYTE = 1024 * 1024;

const chatRequest = (fields?: Record<string, unknown>): string =>
  rawRequest(`POST ${CHAT}`, { headers: bearer(key), body: chatBody('test-max', fields) });
const modelRequest = rawRequest('GET /v1/models/test-plain');
const answersIn = (received: string): number => received.match(/HTTP\/1\.1 200/g)?.length ?? 0;

/** Checks that a bystander's request is answered. */
async function expectService(): Promise<void> {
  expect((await server.chat(key, 'test-plain')).status).toBe(200);
}

async function expectClosed(clients: readonly RawClient[]): Promise<void> {
  await waitFor(() => clients.every((client) => client.isClosed()));
  await expectService();
}

// The first five wait for different timeouts at the same time.
describe('a connection is closed', () => {
  test.concurrent('that sends no head or an unfinished one', async () => {
    const silent = openRawClient(server.url);
    const dripping = openRawClient(server.url);
    dripping.send('GET / HTTP/1.1\r\nhost: a\r\nx: ');
    void dripping.drip('a', 100);
    await expectService();
    await expectClosed([silent, dripping]);
    expect({ silent: silent.received(), dripping: dripping.received() }).toEqual({
      silent: '',
      dripping: '',
    });
  });

  test.concurrent('that is idle after a complete answer, a stream or an error', async () => {
    const requests = [modelRequest, chatRequest(), chatRequest({ stream: true }), rawRequest('GET /v1/nope')];
    const clients = requests.map((request) => {
      const client = openRawClient(server.url);
      client.send(request);
      return client;
    });
    await expectClosed(clients);
    expect(clients.map((client) => statusIn(client.received()))).toEqual([200, 200, 200, 404]);
  });

  test.concurrent('whose second request head arrives too slowly', async () => {
    const client = openRawClient(server.url);
    client.send(modelRequest);
    await waitFor(() => client.received().includes('200 OK'));
    client.send('GET / HTTP/1.1\r\nhost: a\r\nx: ');
    void client.drip('a', 100);
    await expectClosed([client]);
    expect(answersIn(client.received())).toBe(1);
  });

  test.concurrent('whose body does not arrive gets a retryable 408', async () => {
    const head = (path: string, length: number) =>
      rawRequest(`POST ${path}`, {
        headers: { 'x-api-key': key, ...bearer(key), 'content-length': `${length}` },
      });
    const clients = [
      [CHAT, 1_000],
      [CHAT, 1_000_000],
      ['/v1/messages', 1_000],
    ].map(([path, length]) => {
      const client = openRawClient(server.url);
      client.send(`${head(String(path), Number(length))}{"model":`);
      return client;
    });
    await expectClosed(clients);
    for (const client of clients) {
      const [answerHead = '', body = ''] = client.received().split('\r\n\r\n');
      expect(answerHead).toStartWith('HTTP/1.1 408 ');
      expect(answerHead.toLowerCase()).not.toContain('x-should-retry');
      expect(answerHead.toLowerCase()).not.toContain('retry-after');
      const { error } = JSON.parse(body) as Json;
      expect(error.type).toBe('invalid_request_error');
      expect(answerHead).toContain('x-svc-error-code: request_timeout');
    }
  });

  test.concurrent('that sends an endless body after an error', async () => {
    const refused = [
      ['/v1/messages', 'content-length: 1000000000000\r\n'],
      [CHAT, 'transfer-encoding: chunked\r\n'],
      ['/v1/nope', 'transfer-encoding: chunked\r\n'],
    ].map(([path, length]) => {
      const client = openRawClient(server.url);
      client.send(`POST ${path} HTTP/1.1\r\nhost: a\r\n${length}\r\n`);
      void client.drip(`400\r\n${'x'.repeat(1024)}\r\n`, 20);
      return client;
    });
    // This body could end, but the gateway does not read it to its end.
    const short = openRawClient(server.url);
    short.send(rawRequest(`POST ${CHAT}`, { headers: { 'content-length': '10000000' } }));
    void short.drip('x', 50);
    await expectClosed([...refused, short]);
    for (const client of [...refused, short]) expect(client.received()).toMatch(/^HTTP\/1\.1 40[14] /);
    for (const client of refused) expect(client.received().toLowerCase()).toContain('connection: close');
  });

  test('whose client reads nothing of a complete answer', async () => {
    upstream.answer(MODEL, large('word '.repeat((12 * MEGABYTE) / 5)));
    const closedBefore = await closedCount('stalled');
    // One after the other, since the memory for answers does not suffice for several of them.
    for (let client = 1; client <= (isLong ? 6 : 2); client++) {
      const { socket, send, leave } = openRawClient(server.url);
      socket.pause();
      send(chatRequest());
      await waitFor(async () => (await closedCount('stalled')) === closedBefore + client);
      leave();
    }
    await expectService();
  });
});

/** A whole answer. */
const large =
  (content: string): typeof answerWell =>
  ({ body: { model } }) =>
    Response.json({
      id: 'hidden-id',
      created: 1_750_000_000,
      model,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    });

async function closedCount(reason: string): Promise<number> {
  const { text } = await server.call('/metrics');
  return Number(new RegExp(`closed_total\\{reason="${reason}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

describe('a connection stays open', () => {
  test('while the model takes longer than every timeout, for a stream and for a complete answer', async () => {
    const streaming = answerSlowly();
    upstream.answer(MODEL, async (request) => {
      if (request.body.stream) return streaming.answer(request);
      await Bun.sleep(2_500 * TIMEOUT_S);
      return answerWell(request);
    });
    const whole = openRawClient(server.url);
    whole.send(chatRequest());
    const stream = openRawClient(server.url);
    stream.send(chatRequest({ stream: true }));
    await waitFor(() => whole.received().includes('one two'));
    streaming.release();
    await waitFor(() => stream.received().includes('[DONE]'));
    expect({ whole: whole.isClosed(), stream: stream.isClosed() }).toEqual({ whole: false, stream: false });
    // Both connections accept another request.
    upstream.answer(MODEL, answerWell);
    for (const client of [whole, stream]) client.send(chatRequest());
    await waitFor(() => [whole, stream].every((client) => answersIn(client.received()) === 2));
    await expectClosed([whole, stream]);
  });

  test('while the client reads slowly, for a stream and for a complete answer', async () => {
    // Exceeds the kernel's buffers, so that the gateway must wait for the reader.
    const content = 'word '.repeat(((isLong ? 6.5 : 5) * MEGABYTE) / 5);
    const streamAnswer = streamOf(content);
    const wholeAnswer = large(content);
    upstream.answer(MODEL, (request) => (request.body.stream ? streamAnswer : wholeAnswer)(request));
    const clients = [true, false].map((stream) => {
      const client = openRawClient(server.url);
      client.readSlowly((isLong ? 0.4 : 0.8) * MEGABYTE);
      client.send(chatRequest({ stream }));
      return client;
    });
    const isWhole = ({ received }: RawClient) => received().length > content.length && isEnded(received());
    await waitFor(() => clients.every(isWhole), 50_000);
    for (const client of clients) client.leave();
    await expectService();
  });
});

const isEnded = (received: string): boolean => received.endsWith('0\r\n\r\n') || received.endsWith('}');

/** A stream of one text in pieces of 64 KB. */
const streamOf =
  (content: string): typeof answerWell =>
  ({ body: { model } }) => {
    const data = (value: object) => `data: ${JSON.stringify({ id: 'hidden-id', model, ...value })}\n\n`;
    const pieces = content.match(/.{1,65536}/g) ?? [];
    const deltas = pieces.map((piece) =>
      data({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] }),
    );
    const end = data({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    return new Response(`${deltas.join('')}${end}data: [DONE]\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
