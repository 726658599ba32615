import { afterEach, expect, test } from 'bun:test';
import { startTestClient } from './testing/test-client.ts';

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const stops: (() => unknown)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

const clients = [
  ["the gateway's own sockets", { http: false, https: false }],
  ["the runtime's client", { http: true, https: false }],
] as const;

test.each(clients)('the headers of a trace are sent over %s', async (_, proxies) => {
  const seen: (string | null)[][] = [];
  const host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      seen.push(['traceparent', 'tracestate', 'x-one'].map((name) => headers.get(name)));
      return new Response('hello');
    },
  });
  const client = startTestClient({ proxies });
  stops.push(client.close, () => host.stop(true));
  const url = `http://127.0.0.1:${host.port}/`;
  const headers = { 'x-one': 'grüße' };
  expect(await client.text(url, { headers, trace: { traceparent, tracestate: 'a=1,b=2' } })).toBe('hello');
  expect(await client.text(url, { headers, trace: { traceparent, tracestate: '' } })).toBe('hello');
  expect(await client.text(url, { headers })).toBe('hello');
  expect(seen).toEqual([
    [traceparent, 'a=1,b=2', 'grüße'],
    [traceparent, null, 'grüße'],
    [null, null, 'grüße'],
  ]);
});
