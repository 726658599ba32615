import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import zlib from 'node:zlib';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { YieldQueue } from '../../base/lib/yield-queue.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { BodyGate } from './body-gate.ts';
import { createBodyReader } from './create-body-reader.ts';
import type { Exchange } from './exchange.ts';
import { UnderWay } from './under-way.ts';

const gateOf = (megabytes: number) => {
  const bytes = megabytes * MEGABYTE;
  const sizes = { totalBytes: bytes, largeBytes: bytes, waitingBytes: bytes, overdrawnBytes: bytes };
  const budget = new MemoryBudget({ sizes, timeoutMs: 60_000 });
  return new BodyGate({ budget, timeoutMs: 60_000, underWay: new UnderWay() });
};
const yieldQueue = new YieldQueue();
const exchangeOf = (request: Request) => partial<Exchange>({ request, notes: {} });

const gate = gateOf(64);
afterAll(() => gate.close());
const readBody = createBodyReader(gate, yieldQueue);

/** Uses a real connection, because a request made by hand has no content-length. */
async function read(body: Bun.BodyInit | null, headers: Record<string, string> = {}, reader = readBody) {
  let outcome: Awaited<ReturnType<typeof readBody>> | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const exchange = exchangeOf(request);
      outcome = await reader(exchange);
      exchange.booking?.free();
      return new Response('read');
    },
  });
  await fetch(server.url, { method: 'POST', body, headers }).catch(() => {});
  await server.stop(true);
  return outcome!;
}

const codeOf = (outcome: unknown) => (outcome instanceof Refusal ? outcome.code : 'ok');
const ofLength = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;

test('accepts a body of 10 MB and refuses one byte more, with and without content-length [ERR-23, LIF-01]', async () => {
  expect(codeOf(await read(ofLength(MAX_BODY_BYTES)))).toBe('ok');
  expect(codeOf(await read(ofLength(MAX_BODY_BYTES + 1)))).toBe('body_too_large');
  const chunked = (length: number) => new Response(ofLength(length)).body;
  expect(codeOf(await read(chunked(MAX_BODY_BYTES)))).toBe('ok');
  expect(codeOf(await read(chunked(MAX_BODY_BYTES + 1)))).toBe('body_too_large');
});

const encoders: Record<string, (text: string) => Uint8Array> = {
  gzip: (text) => zlib.gzipSync(text),
  br: (text) => zlib.brotliCompressSync(text),
  deflate: (text) => zlib.deflateSync(text),
  'deflate (bare)': (text) => zlib.deflateRawSync(text),
  zstd: (text) => zlib.zstdCompressSync(text),
};

for (const [name, encode] of Object.entries(encoders)) {
  const headers = { 'content-encoding': name.split(' ')[0]! };

  test(`decodes a body with content-encoding ${name} [ERR-42]`, async () => {
    const outcome = await read(encode('{"model":"grüße"}') as Bun.BodyInit, headers);
    expect(outcome instanceof Refusal ? outcome.message : outcome.value).toEqual({ model: 'grüße' });
  });

  test(`stops decoding ${name} at 10 MB [ERR-43]`, async () => {
    expect(codeOf(await read(encode(ofLength(MAX_BODY_BYTES + 1)) as Bun.BodyInit, headers))).toBe(
      'body_too_large',
    );
  });

  test(`refuses data that is not valid ${name}`, async () => {
    expect(codeOf(await read('certainly not compressed', headers))).toBe('invalid_request');
  });
}

test('refuses an unknown encoding, or two encodings at once [ERR-44]', async () => {
  for (const encoding of ['compress', 'gzip, br', 'x']) {
    expect(codeOf(await read('{}', { 'content-encoding': encoding }))).toBe('invalid_request');
  }
});

test('reads a body with an empty content-encoding as it is', async () => {
  expect(codeOf(await read('{}', { 'content-encoding': '' }))).toBe('ok');
});

test('refuses bytes that are not UTF-8 instead of replacing them [ERR-39]', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(codeOf(await read(bytes))).toBe('invalid_json');
  expect(codeOf(await read('{"a":"\ufffd"}'))).toBe('ok');
});

test('reads JSON whatever the content-type is [ERR-45]', async () => {
  expect(codeOf(await read('{"a":1}', { 'content-type': 'text/plain' }))).toBe('ok');
});

/** Opens a server that answers with the code of the outcome, and a raw connection to it. */
async function openConnection(length: string) {
  const exchanges: Exchange[] = [];
  const ownGate = gateOf(64);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const exchange = exchangeOf(request);
      exchanges.push(exchange);
      const outcome = await createBodyReader(ownGate, yieldQueue)(exchange);
      const headers = outcome instanceof Refusal ? outcome.details.headers : undefined;
      return new Response(codeOf(outcome), headers && { headers });
    },
  });
  let answer = '';
  const socket = connect(server.port!, '127.0.0.1');
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`);
  const close = async () => {
    socket.destroy();
    ownGate.close();
    await server.stop(true);
  };
  return { socket, gate: ownGate, exchanges, closed, answer: () => answer, close };
}

test('holds no memory for connections that send nothing', async () => {
  const connection = await openConnection('Content-Length: 10000000');
  connection.socket.write('{');
  await waitFor(() => connection.exchanges.length === 1);
  await Bun.sleep(20);
  expect(connection.gate.budget.usedBytes).toBe(0);
  await connection.close();
});

test('closes the connection of a large body that stops arriving', async () => {
  const connection = await openConnection('Content-Length: 10000000');
  connection.socket.write(' '.repeat(300_000));
  await waitFor(() => connection.gate.budget.usedBytes > 0);
  connection.gate.sweep();
  connection.gate.sweep(performance.now() + 12_000);
  expect(await connection.closed).toContain('request_timeout');
  await connection.close();
});

test("holds part of a large body's room after its answer is ready, until the end", async () => {
  const connection = await openConnection('Content-Length: 9000000');
  const { budget } = connection.gate;
  connection.socket.write(ofLength(9_000_000));
  await waitFor(() => connection.answer().endsWith('ok'));
  expect(budget.usedBytes).toBe(9_000_000 * 5);
  connection.exchanges[0]!.release!();
  expect(budget.usedBytes).toBe(9_000_000 * 2);
  connection.exchanges[0]!.booking!.free();
  expect(budget.usedBytes).toBe(0);
  await connection.close();
});

test('a body that arrives slowly gives up its booking and continues step by step', async () => {
  const connection = await openConnection('Content-Length: 9000000');
  const { budget } = connection.gate;
  connection.socket.write(ofLength(9_000_000).slice(0, 100_000));
  await waitFor(() => budget.usedBytes > 0);
  await Bun.sleep(20);
  connection.gate.sweep();
  connection.gate.sweep();
  expect(budget.usedBytes).toBeLessThan(6 * MEGABYTE);
  connection.socket.write(ofLength(9_000_000).slice(100_000));
  await waitFor(() => connection.answer().endsWith('ok'));
  expect(budget.usedBytes).toBe(9_000_000 * 5);
  await connection.close();
});

test.each([200_000, 5_000])('counts a body of %i bytes while it arrives', async (length) => {
  const connection = await openConnection(`Content-Length: ${length}`);
  const { budget } = connection.gate;
  connection.socket.write(ofLength(length).slice(0, -1));
  await waitFor(() => budget.usedBytes === length);
  connection.socket.write('}');
  await waitFor(() => connection.answer().endsWith('ok'));
  connection.exchanges[0]!.booking?.free();
  expect(budget.usedBytes).toBe(0);
  await connection.close();
});

test('does not decode a few bytes that would expand to very many, however well they are compressed [ERR-43]', async () => {
  const bomb = zlib.brotliCompressSync(ofLength(9_000_000));
  expect(bomb.byteLength).toBeLessThan(1_000);
  expect(await read(bomb as Bun.BodyInit, { 'content-encoding': 'br' })).toMatchObject({
    code: 'body_too_large',
    message: expect.stringContaining('1100 times'),
  });
  const deflated = zlib.gzipSync(ofLength(9_000_000));
  expect(codeOf(await read(deflated as Bun.BodyInit, { 'content-encoding': 'gzip' }))).toBe('ok');
});

test('reads a body over the limit to its end before the refusal, up to 32 MB [ERR-23]', async () => {
  const megabyte = ' '.repeat(1024 * 1024);
  const connection = await openConnection(`Content-Length: ${12 * 1024 * 1024}`);
  for (let sent = 0; sent < 11; sent++) connection.socket.write(megabyte);
  await Bun.sleep(100);
  expect(connection.answer()).toBe('');
  connection.socket.write(megabyte);
  await waitFor(() => connection.answer().endsWith('body_too_large'));
  await connection.close();
  const huge = await openConnection(`Content-Length: ${33 * 1024 * 1024}`);
  await waitFor(() => huge.answer().endsWith('body_too_large'));
  await huge.close();
});

test('refuses a small body that arrives too late', async () => {
  const body = Promise.withResolvers<ArrayBuffer>();
  const headers = new Headers({ 'content-length': '2' });
  const exchange = exchangeOf(partial<Request>({ headers, arrayBuffer: () => body.promise }));
  const reading = readBody(exchange);
  exchange.awaitsBody = false;
  body.resolve(new TextEncoder().encode('{}').buffer);
  expect(codeOf(await reading)).toBe('request_timeout');
});
