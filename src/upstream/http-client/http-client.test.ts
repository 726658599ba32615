import { afterEach, describe, expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { MalformedAnswer } from './answer-head.ts';
import { CallEnded, LARGE_ANSWER_BYTES } from './http-answer.ts';
import { type HostScript, startScriptedHost } from './testing/scripted-host.ts';
import { startTestClient } from './testing/test-client.ts';

const client = startTestClient();
const stops: (() => void)[] = [];
afterEach(() => {
  client.close();
  for (const stop of stops.splice(0)) stop();
});

function startHost(script: HostScript, hostname?: string) {
  const host = startScriptedHost(script, hostname);
  stops.push(host.stop);
  return host;
}

const hello = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nhello';
const answering =
  (text: string): HostScript =>
  ({ socket }) =>
    void socket.write(text);

describe('a request', () => {
  test('is sent as given, with its length in bytes', async () => {
    const host = startHost(answering(hello));
    await client.text(`${host.url}?a=b`, { headers: { 'X-One': 'gr\u00fc\u00dfe' }, body: '{"a":"\u20ac"}' });
    const [head, body] = host.seen.requests[0]!.split('\r\n\r\n');
    expect(head!.split('\r\n')).toEqual([
      'POST /v1/x?a=b HTTP/1.1',
      `host: 127.0.0.1:${host.port}`,
      'x-one: gr\u00fc\u00dfe',
      'content-length: 11',
    ]);
    expect(Buffer.from(body!, 'latin1').toString()).toBe('{"a":"\u20ac"}');
  });

  test("that exceeds the socket's buffer arrives whole", async () => {
    const host = startHost(answering(hello));
    const body = 'a\u20ac'.repeat(3_000_000);
    expect(await client.text(host.url, { body })).toBe('hello');
    expect(
      Buffer.from(host.seen.requests[0]!.split('\r\n\r\n')[1]!, 'latin1').toString() === body,
    ).toBeTrue();
    expect(await client.text(host.url)).toBe('hello');
    expect(host.seen.connections).toBe(1);
  });

  test('may be answered before it is sent completely, at the cost of its connection', async () => {
    const early = 'HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno';
    const host = startHost(answering(hello), '127.0.0.1');
    const refusing = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { open: (socket) => void socket.write(early), data: (socket) => void socket.pause() },
    });
    stops.push(() => refusing.stop(true));
    const answer = await client.send(`http://127.0.0.1:${refusing.port}/`, { body: 'x'.repeat(30_000_000) });
    expect(answer.status).toBe(413);
    expect((await answer.readText(10)).text).toBe('no');
    expect(client.kept()).toBe(0);
    expect(await client.text(host.url)).toBe('hello');
  });

  test('reaches an address of the other family', async () => {
    const host = startHost(answering(hello), '::1');
    expect(await client.text(host.url)).toBe('hello');
    expect(host.seen.requests[0]).toContain(`host: [::1]:${host.port}\r\n`);
  });

  test('tries the addresses of a host in turn', async () => {
    const host = startHost(answering(hello));
    const several = startTestClient({ addressesOf: async () => ['127.0.0.9', '::1', '127.0.0.1'] });
    expect(await several.text(`http://host.example:${host.port}/`)).toBe('hello');
    expect(host.seen.requests[0]).toContain(`host: host.example:${host.port}\r\n`);
    several.close();
    const none = startTestClient({ addressesOf: async () => [] });
    await expect(none.send('http://host.example/')).rejects.toThrow('has no address');
  });

  test('to a closed port or an unknown host fails with the place in the error', async () => {
    const host = startScriptedHost(answering(hello));
    host.stop();
    await expect(client.send(host.url)).rejects.toThrow(`127.0.0.1:${host.port}`);
    const lookupFails = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const lost = startTestClient({ addressesOf: () => Promise.reject(lookupFails) });
    await expect(lost.send('http://gone.example/')).rejects.toThrow('getaddrinfo ENOTFOUND: gone.example');
  });
});

describe('a connection', () => {
  test('is kept for the next request', async () => {
    const host = startHost(answering(hello));
    for (const _ of [1, 2, 3]) expect(await client.text(host.url)).toBe('hello');
    expect(host.seen.connections).toBe(1);
    expect(client.kept()).toBe(1);
    expect(await Promise.all([client.text(host.url), client.text(host.url)])).toEqual(['hello', 'hello']);
    expect(host.seen.connections).toBe(2);
    expect(client.kept()).toBe(2);
  });

  test.each([
    [LARGE_ANSWER_BYTES - 1, 'as text'],
    [LARGE_ANSWER_BYTES, 'in the pieces in which it arrived'],
  ])('returns a whole answer of %i bytes %s', async (length, way) => {
    const body = 'é'.repeat(length / 2).padEnd(length - Math.floor(length / 2), 'x');
    const host = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(body) });
    const whole = await (await client.send(`http://127.0.0.1:${host.port}/`)).readWhole();
    await host.stop(true);
    expect('pieces' in whole).toBe(way !== 'as text');
    const text = 'pieces' in whole ? Buffer.concat(whole.pieces).toString() : whole.text;
    expect(text === body).toBe(true);
  });

  test('is reused after an answer that arrived faster than its reader', async () => {
    const length = 100_000;
    const host = startHost(
      ({ socket, requests }) =>
        void socket.write(
          requests === 1
            ? `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length)}`
            : hello,
        ),
    );
    const answer = await client.send(host.url);
    await waitFor(() => client.kept() === 1);
    expect((await answer.readText(length)).text).toHaveLength(length);
    expect(await client.text(host.url)).toBe('hello');
    expect(host.seen.connections).toBe(1);
  });

  test.each([
    'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello',
    'HTTP/1.0 200 OK\r\ncontent-length: 5\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 5\r\n\r\nhello',
    `${hello}HTTP/1.1 200 OK\r\n`,
  ])('is not kept after %j', async (text) => {
    const host = startHost(answering(text));
    for (const _ of [1, 2]) expect(await client.text(host.url)).toBe('hello');
    expect(host.seen.connections).toBe(2);
    expect(client.kept()).toBe(0);
  });

  test('is dropped when its host closes it or sends unrequested bytes', async () => {
    const host = startHost(({ socket, number }) => {
      socket.write(hello);
      setTimeout(() => (number === 1 ? socket.end() : socket.write('HTTP/1.1 408 Too Late\r\n\r\n')), 5);
    });
    for (const connections of [1, 2]) {
      expect(await client.text(host.url)).toBe('hello');
      expect(host.seen.connections).toBe(connections);
      await waitFor(() => client.kept() === 0);
    }
  });

  test('that the host has closed is replaced without an error', async () => {
    const host = startHost(({ socket, requests }) => {
      if (requests === 2) socket.terminate();
      else socket.write(hello);
    });
    for (const _ of [1, 2]) expect(await client.text(host.url)).toBe('hello');
    expect({ connections: host.seen.connections, requestCount: host.seen.requests.length }).toEqual({
      connections: 2,
      requestCount: 3,
    });
  });

  test('that closes without an answer to its first request, or after its first byte, fails', async () => {
    const silent = startHost(({ socket }) => void socket.end());
    await expect(client.send(silent.url)).rejects.toBeInstanceOf(MalformedAnswer);
    const cut = startHost(({ socket, requests }) => {
      socket.write(requests === 1 ? hello : 'H');
      if (requests === 2) socket.end();
    });
    await client.text(cut.url);
    await expect(client.send(cut.url)).rejects.toBeInstanceOf(MalformedAnswer);
    expect({ silent: silent.seen.requests.length, cut: cut.seen.requests.length }).toEqual({
      silent: 1,
      cut: 2,
    });
  });
});

describe('a body', () => {
  test('that ends early fails where it is read', async () => {
    const host = startHost(
      ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello'),
    );
    const answer = await client.send(host.url);
    await expect((async () => answer.readText(100))()).rejects.toBeInstanceOf(MalformedAnswer);
    const pieces = await client.send(host.url);
    expect(Buffer.from((await pieces.read())!).toString()).toBe('hello');
    await expect((async () => pieces.read())()).rejects.toBeInstanceOf(MalformedAnswer);
  });

  test('may end with its connection', async () => {
    const host = startHost(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\nhello'));
    expect(await client.text(host.url)).toBe('hello');
    expect(client.kept()).toBe(0);
  });

  test('arrives piece by piece', async () => {
    const host = startHost(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n');
      setTimeout(() => socket.write('2\r\nbc\r\n'), 10);
      setTimeout(() => socket.write('0\r\n\r\n'), 20);
    });
    const answer = await client.send(host.url);
    const pieces: string[] = [];
    for (let piece = await answer.read(); piece; piece = await answer.read())
      pieces.push(Buffer.from(piece).toString());
    expect(pieces).toEqual(['a', 'bc']);
    expect(client.kept()).toBe(1);
  });

  test('is read no further than requested', async () => {
    const host = startHost(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = setInterval(() => socket.write('x'.repeat(50)) < 0 && clearInterval(more), 1);
    });
    const answer = await client.send(host.url);
    const { text, isCut } = await answer.readText(120);
    expect({ length: text.length, isCut }).toEqual({ length: 120, isCut: true });
    await waitFor(() => host.seen.open === 0);
  });

  test('that is not read waits at its host for a late reader', async () => {
    const state = { sent: 0, isWhole: false };
    const bytes = Buffer.alloc(40_000_000, 'x');
    const pump = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          send(socket);
        },
        drain: (socket) => send(socket),
      },
    });
    function send(socket: { write(bytes: Uint8Array): number; end(): void }) {
      state.sent += Math.max(0, socket.write(bytes.subarray(state.sent)));
      if (state.sent < bytes.length || state.isWhole) return;
      state.isWhole = true;
      socket.end();
    }
    stops.push(() => pump.stop(true));
    const answer = await client.send(`http://127.0.0.1:${pump.port}/`);
    const first = await answer.read();
    await Bun.sleep(100);
    expect(state.sent).toBeLessThan(20_000_000);
    let taken = first!.length;
    for (let piece = await answer.read(); piece; piece = await answer.read()) taken += piece.length;
    expect(taken).toBe(bytes.length);
  });
});

test.each([
  'nonsense\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n',
  'HTTP/1.1 200 OK\r\nno field\r\n\r\n',
  `HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}\r\n\r\n`,
])('ends the call and the connection on an invalid answer: %#', async (text) => {
  const host = startHost(answering(text));
  await expect(client.send(host.url)).rejects.toBeInstanceOf(MalformedAnswer);
  await waitFor(() => host.seen.open === 0);
});

describe('a client that leaves', () => {
  const left = () => {
    const controller = new AbortController();
    return { client: controller.signal, leave: () => controller.abort() };
  };

  test('before its request is sent, or during the address lookup, causes no request', async () => {
    const host = startHost(answering(hello));
    await expect(client.send(host.url, { client: AbortSignal.abort() })).rejects.toBeInstanceOf(CallEnded);
    const lookup = Promise.withResolvers<string[]>();
    const slow = startTestClient({ addressesOf: () => lookup.promise });
    const { client: signal, leave } = left();
    const call = slow.send(host.url, { client: signal });
    leave();
    await expect(call).rejects.toBeInstanceOf(CallEnded);
    lookup.resolve(['127.0.0.1']);
    await Bun.sleep(10);
    expect(host.seen.connections).toBe(0);
  });

  test.each([
    ['for the head', ''],
    ['for the rest of a head', 'HTTP/1.1 200 OK\r\n'],
    ['for the rest of a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello'],
  ])('while it waits %s ends the connection', async (_, text) => {
    const host = startHost(answering(text));
    const { client: signal, leave } = left();
    const call = client.text(host.url, { client: signal });
    await waitFor(() => host.seen.requests.length === 1);
    await Bun.sleep(5);
    leave();
    await expect(call).rejects.toBeInstanceOf(CallEnded);
    await waitFor(() => host.seen.open === 0);
    expect(client.kept()).toBe(0);
  });

  test('after the end of an answer changes nothing', async () => {
    const host = startHost(answering(hello));
    const { client: signal, leave } = left();
    expect(await client.text(host.url, { client: signal })).toBe('hello');
    leave();
    expect(client.kept()).toBe(1);
  });
});

describe('a timeout', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n';

  test.each([
    ['connect', { connectMs: 20 }, 'unresolved'],
    ['first-byte', { firstByteMs: 20 }, ''],
    ['first-byte', { firstByteMs: 20 }, head],
    ['first-byte', { totalMs: 20 }, ''],
    ['gap', { idleMs: 20 }, `${head}four`],
    ['gap', { totalMs: 60 }, `${head}four`],
  ])('of the phase %s ends the call: %j', async (phase, timeouts, text) => {
    const host = startHost(answering(text));
    const addressesOf = () =>
      text === 'unresolved' ? new Promise<string[]>(() => {}) : Promise.resolve(['127.0.0.1']);
    const impatient = startTestClient({ addressesOf });
    const readAll = async () => {
      const answer = await impatient.send(`http://host.example:${host.port}/`, { timeouts });
      while (await answer.read());
    };
    await expect(readAll()).rejects.toMatchObject({ name: 'CallTimedOut', message: phase });
    await waitFor(() => host.seen.open === 0);
  });

  test('does not count the time in which the reader reads nothing', async () => {
    const host = startHost(({ socket }) => {
      socket.write(`${head}four`);
      setTimeout(() => socket.write('-five'), 60);
    });
    const answer = await client.send(host.url, { timeouts: { idleMs: 40, firstByteMs: 40 } });
    await answer.read();
    await Bun.sleep(90);
    expect(Buffer.from((await answer.read())!).toString()).toBe('-five');
    expect(await answer.read()).toBeUndefined();
  });
});
