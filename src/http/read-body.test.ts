import { afterAll, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { Refusal } from '../errors/refusal.ts';
import { BodyGate } from './body-gate.ts';
import type { Exchange } from './exchange.ts';
import { createBodyReader, MAX_BODY_BYTES } from './read-body.ts';

const gate = new BodyGate({ capacityBytes: 64 * 1024 * 1024, timeoutMs: 60_000 });
afterAll(() => gate.close());
const readBody = createBodyReader(gate);

/** Over a real connection, since a request that was made by hand announces no length. */
async function read(body: Bun.BodyInit | null, headers: Record<string, string> = {}, reader = readBody) {
  let outcome: Awaited<ReturnType<typeof readBody>> | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      outcome = await reader({ request, keepOpen: () => {} } as unknown as Exchange);
      return new Response('read');
    },
  });
  await fetch(server.url, { method: 'POST', body, headers }).catch(() => {});
  await server.stop(true);
  return outcome!;
}

const codeOf = (outcome: unknown) => (outcome instanceof Refusal ? outcome.code : 'ok');
const ofLength = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;

test('takes a body of 10 MB and refuses one byte more, announced or not [ERR-23, LIF-01]', async () => {
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

  test(`refuses what is no ${name} data`, async () => {
    expect(codeOf(await read('certainly not compressed', headers))).toBe('invalid_request');
  });
}

test('refuses an encoding that it does not know, or two at once [ERR-44]', async () => {
  for (const encoding of ['compress', 'gzip, br', 'x']) {
    expect(codeOf(await read('{}', { 'content-encoding': encoding }))).toBe('invalid_request');
  }
});

test('refuses bytes that are no UTF-8 instead of replacing them [ERR-39]', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect(codeOf(await read(bytes))).toBe('invalid_json');
  expect(codeOf(await read('{"a":"\ufffd"}'))).toBe('ok');
});

test('reads JSON whatever content-type says [ERR-45]', async () => {
  expect(codeOf(await read('{"a":1}', { 'content-type': 'text/plain' }))).toBe('ok');
});

test('bodies together hold no more than the gate has: the rest waits, and gets in', async () => {
  const narrow = new BodyGate({ capacityBytes: 3_000, timeoutMs: 60_000 });
  expect(narrow.tryEnter(2_000)).toBe(true);
  expect(narrow.tryEnter(2_000)).toBe(false);
  let admitted = 0;
  const waiting = [narrow.enter(2_000), narrow.enter(500), narrow.enter(10_000)].map((entry) =>
    entry.then(() => admitted++),
  );
  await Bun.sleep(1);
  expect(admitted).toBe(0);
  narrow.leave(2_000);
  await Promise.all(waiting.slice(0, 2));
  expect(admitted).toBe(2);
  narrow.leave(2_000);
  narrow.leave(500);
  await waiting[2]; // larger than the whole gate: alone
  expect(admitted).toBe(3);
  narrow.close();
});
