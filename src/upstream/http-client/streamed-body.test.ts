import { afterEach, expect, test } from 'bun:test';
import type { SocketHandler } from 'bun';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { CallAbandoned } from './http-answer.ts';
import { startScriptedHost } from './testing/scripted-host.ts';
import { startTestClient } from './testing/test-client.ts';

const client = startTestClient();
const stops: (() => void)[] = [];
afterEach(() => {
  client.close();
  for (const stop of stops.splice(0)) stop();
});

const hello = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello';
const timeouts = { firstByteMs: 150, idleMs: 1_000 };
const refusal = 'HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno';

/** A body of numbered pieces. `read` counts the pieces that were asked for, over all beginnings. */
function bodyOf(count: number, length: number, onPiece = (_at: number): unknown => undefined) {
  const seen = { read: 0, begun: 0, returned: 0 };
  const streamed: StreamedBody = {
    contentType: 'x/y',
    byteLength: count * length,
    async *pieces() {
      seen.begun++;
      try {
        for (let at = 0; at < count; at++) {
          seen.read++;
          await onPiece(at);
          yield Buffer.alloc(length, 97 + (at % 26));
        }
      } finally {
        seen.returned++;
      }
    },
  };
  return { seen, streamed };
}

/** Returns the text of such a body. */
const textOf = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => String.fromCharCode(97 + (at % 26)).repeat(length)).join('');

function listen(handlers: SocketHandler) {
  const host = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data() {}, error() {}, ...handlers },
  });
  stops.push(() => host.stop(true));
  return `http://127.0.0.1:${host.port}/`;
}

test('a body in pieces arrives whole on a connection that is kept', async () => {
  const host = startScriptedHost(({ socket }) => void socket.write(hello));
  stops.push(host.stop);
  for (const [count, length] of [
    [3, 5],
    [40, 100_000],
  ] as const) {
    const { streamed, seen } = bodyOf(count, length);
    expect(await client.text(host.url, { streamed })).toBe('hello');
    const [head, body] = host.seen.requests.at(-1)!.split('\r\n\r\n');
    expect(head).toEndWith(`content-length: ${count * length}`);
    expect(body === textOf(count, length)).toBeTrue();
    expect(seen).toEqual({ read: count, begun: 1, returned: 1 });
  }
  expect(host.seen.connections).toBe(1);
});

/** Waits until a figure stays the same for a moment. */
async function untilSettled(figure: () => number): Promise<void> {
  for (let before = -1; before !== figure(); await Bun.sleep(50)) before = figure();
}

test('a host that reads slowly holds back the pieces', async () => {
  const url = listen({ open: (socket) => void socket.pause(), data() {} });
  const { streamed, seen } = bodyOf(1_000, 64 * 1024);
  const calling = client.send(url, { streamed, timeouts: { idleMs: 600 } });
  calling.catch(() => {});
  await waitFor(() => seen.read > 1);
  await untilSettled(() => seen.read);
  expect(seen.read).toBeLessThan(300); // what the buffers of the kernel take
  await expect(calling).rejects.toThrow('sending');
  expect(seen.returned).toBe(1);
});

test('the early refusal of a host ends the body and the connection', async () => {
  const url = listen({ open: (socket) => void socket.write(refusal), data: (socket) => void socket.pause() });
  const { streamed, seen } = bodyOf(1_000, 64 * 1024);
  const answer = await client.send(url, { streamed });
  expect(answer.status).toBe(413);
  expect((await answer.readText(10)).text).toBe('no');
  expect(client.kept()).toBe(0);
  await waitFor(() => seen.returned === 1);
  expect(seen.read).toBeLessThan(1_000);
});

test('a body that cannot be read any more fails the call', async () => {
  const url = listen({});
  const { streamed } = bodyOf(10, 1_000, (at) => {
    if (at === 5) throw new Error('the upload is released');
  });
  await expect(client.send(url, { streamed })).rejects.toThrow('the upload is released');
});

test('a lost connection in the middle of a body fails the call', async () => {
  const url = listen({ data: (socket) => socket.terminate() });
  await expect(client.send(url, { streamed: bodyOf(100, 64 * 1024).streamed })).rejects.toThrow();
});

test('a body is sent again if its connection was stale', async () => {
  const host = startScriptedHost(({ socket, requests }) => {
    if (requests === 2) socket.terminate();
    else socket.write(hello);
  });
  stops.push(host.stop);
  expect(await client.text(host.url)).toBe('hello');
  const { streamed, seen } = bodyOf(4, 1_000);
  expect(await client.text(host.url, { streamed })).toBe('hello');
  expect(seen.begun).toBe(2);
  expect(host.seen.requests.at(-1)!.split('\r\n\r\n')[1] === textOf(4, 1_000)).toBeTrue();
});

test('a slow source of a body does not count as a slow host', async () => {
  const host = startScriptedHost(({ socket }) => void socket.write(hello));
  stops.push(host.stop);
  const { streamed } = bodyOf(5, 1_000, () => Bun.sleep(120));
  expect(await client.text(host.url, { streamed, timeouts })).toBe('hello');
});

test('the time for the first byte begins when the body is sent', async () => {
  const { streamed } = bodyOf(2, MEGABYTE / 16);
  await expect(client.send(listen({}), { streamed, timeouts })).rejects.toThrow('first-byte');
});

test('a client that leaves while the body is sent ends the call at once, as if nothing had been sent', async () => {
  const url = listen({ open: (socket) => void socket.pause() });
  const leaving = new AbortController();
  const { streamed, seen } = bodyOf(1_000, 64 * 1024);
  const calling = client.send(url, { streamed, client: leaving.signal, graceMs: 60_000 });
  const failed = calling.catch((error: unknown) => error);
  await waitFor(() => seen.read > 1);
  leaving.abort();
  const error = await failed;
  expect(String(error)).toContain('the client has left');
  expect(error).not.toBeInstanceOf(CallAbandoned);
  await waitFor(() => seen.returned === 1);
});
