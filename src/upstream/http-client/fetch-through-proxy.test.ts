import { expect, test } from 'bun:test';
import { DueWatch } from './due-watch.ts';
import { fetchThroughProxy } from './fetch-through-proxy.ts';
import { prepareRequestHead } from './request-head.ts';

test('sends a body with its length from a slow source', async () => {
  let received: unknown;
  await using host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { headers } = request;
      received = {
        length: headers.get('content-length'),
        type: headers.get('content-type'),
        text: await request.text(),
      };
      return new Response('hello');
    },
  });
  const dues = new DueWatch();
  const streamed = {
    contentType: 'x/y',
    byteLength: 4,
    async *pieces() {
      for (const piece of ['ab', 'cd']) {
        await Bun.sleep(300);
        yield Buffer.from(piece);
      }
    },
  };
  const head = prepareRequestHead(host.url.href, { 'content-type': 'x/y' });
  const timeouts = { connectMs: 1_000, firstByteMs: 500, idleMs: 5_000, totalMs: 10_000 };
  const client = new AbortController().signal;
  try {
    const answer = await fetchThroughProxy({ head, body: '', streamed, timeouts, client }, dues);
    expect((await answer.readText(100)).text).toBe('hello');
    expect(received).toEqual({ length: '4', type: 'x/y', text: 'abcd' });
  } finally {
    dues.close();
  }
});
