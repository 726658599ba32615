import { afterAll, describe, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { bearer, chatBody } from '../support/call.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

// Answers of upstreams that are compressed, although the gateway asks for no compression.

const upstream = startRawUpstream();
const models = ['whole', 'streamed', 'refused', 'bomb', 'endless', 'broken'];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'host', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: models.map((id) => ableModel(id, [{ provider: 'host', model: `hidden-${id}` }])),
    },
    limits: { max_answer_mb: 1 },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const { key } = await server.createKey('enterprise');

const codings: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes),
  zstd: (bytes) => zlib.zstdCompressSync(bytes),
};
const headOf = (coding: string, { status = '200 OK', type = 'application/json' } = {}): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-encoding: ${coding}\r\nconnection: close\r\n\r\n`;
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const whole = (content: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'x',
      usage,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
  );
const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

const END = `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\ndata: [DONE]\n\n`;

const answer = (model: string, head: string, body: Buffer) =>
  upstream.answer(`hidden-${model}`, async (to) => {
    to.send(head);
    to.send(body);
    await to.end();
  });

describe.each(Object.keys(codings))('an answer that its host encodes with %s', (coding) => {
  const encode = codings[coding]!;

  test('is decoded whole', async () => {
    answer('whole', headOf(coding), encode(whole('héllo '.repeat(20_000))));
    const { status, body } = await server.chat(key, 'whole');
    expect({
      status,
      length: body.choices[0].message.content.length,
      completion_tokens: body.usage.completion_tokens,
    }).toEqual({ status: 200, length: 120_000, completion_tokens: 3 });
  });

  test('is decoded as a stream', async () => {
    const events = chunk('one') + chunk(' two') + END;
    answer('streamed', headOf(coding, { type: 'text/event-stream' }), encode(Buffer.from(events)));
    const { status, text } = await server.chat(key, 'streamed', { stream: true });
    expect([status, text.includes('"one"'), text.includes('" two"'), text.includes('[DONE]')]).toEqual([
      200,
      true,
      true,
      true,
    ]);
  });

  test('is decoded to find the reason of a refusal', async () => {
    const error = { message: 'maximum context length is 5 tokens', code: 'context_length_exceeded' };
    const head = headOf(coding, { status: '400 Bad Request' });
    answer('refused', head, encode(Buffer.from(JSON.stringify({ error }))));
    const { status, body } = await server.chat(key, 'refused');
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'context_length_exceeded' });
  });

  test('is refused if it decodes to more than the size limit', async () => {
    answer('bomb', headOf(coding), encode(whole('x'.repeat(8_000_000))));
    const { status, body } = await server.chat(key, 'bomb');
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
  });
});

test('an encoded stream reaches the client event by event', async () => {
  const gate = Promise.withResolvers<void>();
  upstream.answer('hidden-streamed', async (to) => {
    to.send(headOf('gzip', { type: 'text/event-stream' }));
    const gzip = zlib.createGzip();
    gzip.on('data', (bytes: Buffer) => to.send(bytes));
    gzip.write(chunk('first'));
    gzip.flush();
    await gate.promise;
    gzip.end(END);
    await new Promise((resolve) => gzip.on('end', resolve));
    await to.end();
  });
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: bearer(key),
    body: JSON.stringify(chatBody('streamed', { stream: true })),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('"first"')) text += (await reader.read()).value ?? '';
  gate.resolve();
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
  expect(text).toContain('[DONE]');
});

test('an encoded stream that decodes without end is cut', async () => {
  const comments = Buffer.from(`: ${'x'.repeat(1_000)}\n\n`.repeat(20_000));
  answer(
    'endless',
    headOf('gzip', { type: 'text/event-stream' }),
    zlib.gzipSync(Buffer.concat([Buffer.from(chunk('one')), comments])),
  );
  const { text } = await server.chat(key, 'endless', { stream: true });
  expect(text).toContain('"upstream_unavailable"');
  expect(text).not.toContain('[DONE]');
});

test('an answer that is not in the coding that it names is refused', async () => {
  answer('broken', headOf('gzip'), whole('hello'));
  expect((await server.chat(key, 'broken')).status).toBe(503);
  answer('broken', headOf('unknown'), whole('hello'));
  expect((await server.chat(key, 'broken')).status).toBe(503);
});
