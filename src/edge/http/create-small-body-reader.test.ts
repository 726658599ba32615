import { afterAll, expect, test } from 'bun:test';
import zlib from 'node:zlib';
import { Refusal } from '../../base/errors/refusal.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { BodyGate } from './body-gate.ts';
import { createRawBodyReader } from './create-raw-body-reader.ts';
import { createSmallBodyReader } from './create-small-body-reader.ts';
import type { Exchange } from './exchange.ts';
import { UnderWay } from './under-way.ts';

const bytes = 64 * MEGABYTE;
const sizes = { totalBytes: bytes, largeBytes: bytes, waitingBytes: bytes, overdrawnBytes: bytes };
const budget = new MemoryBudget({ sizes, timeoutMs: 60_000 });
const gate = new BodyGate({ budget, timeoutMs: 60_000, underWay: new UnderWay() });
afterAll(() => gate.close());
const readSmall = createSmallBodyReader(createRawBodyReader(gate));

const ofLength = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;

/** Reads a body over a connection. Returns the outcome, and whether memory was booked for it. */
async function read(body: Bun.BodyInit, headers: Record<string, string> = {}) {
  let read = { outcome: '', isBooked: false };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const exchange = partial<Exchange>({ request, notes: {} });
      const parsed = await readSmall(exchange);
      const outcome = parsed instanceof Refusal ? `${parsed.code}: ${parsed.message}` : 'ok';
      read = { outcome, isBooked: exchange.booking !== undefined };
      exchange.booking?.free();
      return new Response('read');
    },
  });
  await fetch(server.url, { method: 'POST', body, headers }).catch(() => {});
  await server.stop(true);
  return read;
}

const gzip = { 'content-encoding': 'gzip' };
const compressed = (length: number) => zlib.gzipSync(ofLength(length)) as unknown as Bun.BodyInit;
const chunked = (length: number) => new Blob([ofLength(length)]).stream();
const TOO_LARGE = { outcome: 'body_too_large: The request body is larger than 16 KB.', isBooked: false };

test('reads a body of 16 KB, and books memory for no body', async () => {
  const ok = { outcome: 'ok', isBooked: false };
  expect(await read(ofLength(16_384))).toEqual(ok);
  expect(await read(compressed(16_384), gzip)).toEqual(ok);
  expect(await read(ofLength(16_385))).toEqual(TOO_LARGE);
  expect(await read(chunked(3_000_000))).toEqual(TOO_LARGE);
});

test('decodes no more than 16 KB of a body, however well it is compressed', async () => {
  expect(await read(compressed(16_385), gzip)).toEqual(TOO_LARGE);
  expect(await read(compressed(9_000_000), gzip)).toEqual(TOO_LARGE);
});
