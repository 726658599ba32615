import { afterAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { sendAlert } from './send-alert.ts';

const received: { headers: Headers; body: string; method: string }[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname } = new URL(request.url);
    received.push({ headers: request.headers, body: await request.text(), method: request.method });
    if (pathname === '/busy') return new Response('', { status: 503, headers: { 'retry-after': '7' } });
    if (pathname === '/moved') return Response.redirect(new URL('/', request.url).href, 302);
    return new Response('');
  },
});
afterAll(() => receiver.stop(true));

const send = (url: string) =>
  sendAlert(
    {
      webhook: { url, secret: 'whsec_1', events: null },
      body: '{"id":"alrt_ü"}',
      header: 'x-svc-signature',
      now: 1_700_000_000_900,
    },
    new AbortController().signal,
  );

test('signs the time and the bytes of the body', async () => {
  expect(await send(receiver.url.href)).toEqual({ ok: true, status: 200, error: null });
  const { headers, body, method } = received.at(-1)!;
  const digest = createHmac('sha256', 'whsec_1').update(`1700000000.${body}`).digest('hex');
  expect(headers.get('x-svc-signature')).toBe(`t=1700000000,v1=${digest}`);
  expect({ method, contentType: headers.get('content-type'), body }).toEqual({
    method: 'POST',
    contentType: 'application/json',
    body: '{"id":"alrt_ü"}',
  });
});

test('reports a refusal with its status and the pause that the webhook asks for', async () => {
  expect(await send(`${receiver.url}busy`)).toEqual({
    ok: false,
    status: 503,
    error: 'The webhook answered with status 503.',
    retryAfterMs: 7_000,
  });
});

test('does not follow a redirect', async () => {
  const before = received.length;
  expect(await send(`${receiver.url}moved`)).toMatchObject({ ok: false, status: 302 });
  expect(received.length).toBe(before + 1);
});

test('reports a failed connection without the address', async () => {
  const closed = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') });
  const { port } = closed;
  await closed.stop(true);
  const outcome = await send(`http://127.0.0.1:${port}/hidden-path?key=hidden`);
  expect(outcome).toMatchObject({ ok: false, status: null });
  expect(outcome.error).toStartWith('The connection failed (');
  expect(outcome.error).not.toContain('hidden');
});
