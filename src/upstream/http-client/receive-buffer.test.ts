import { ptr } from 'bun:ffi';
import { afterEach, expect, test } from 'bun:test';
import type { Socket } from 'bun';
import { waitFor } from '../../../test/support/wait-for.ts';
import { loadCLibrary } from '../../base/lib/load-c-library.ts';
import { MEGABYTE } from '../../base/lib/units.ts';
import { NARROW_BYTES } from './receive-buffer.ts';
import { startScriptedHost } from './testing/scripted-host.ts';
import { startTestClient } from './testing/test-client.ts';

const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const getsockopt = loadCLibrary({
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
})?.getsockopt;

const stops: (() => void)[] = [];
const realConnect = Bun.connect;
afterEach(() => {
  Bun.connect = realConnect;
  for (const stop of stops.splice(0)) stop();
});

function bufferOf(socket: Socket<unknown>): number {
  const value = new Int32Array(new ArrayBuffer(4));
  const length = new Uint32Array([4]);
  getsockopt!((socket as unknown as { fd: number }).fd, SOL_SOCKET, SO_RCVBUF, ptr(value), ptr(length));
  return value[0]!;
}

/** Starts a client whose sockets the test sees, and a host that answers with a stream of this many bytes. */
function start(bytes: number) {
  const sockets: Socket<unknown>[] = [];
  Bun.connect = (async (options: never) => {
    const socket = await realConnect(options);
    sockets.push(socket as Socket<unknown>);
    return socket;
  }) as typeof Bun.connect;
  const host = startScriptedHost(({ socket }) => {
    let unsent = Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`);
    const write = setInterval(() => {
      unsent = unsent.subarray(Math.max(0, socket.write(unsent)));
      if (unsent.length === 0) clearInterval(write);
    }, 1);
    stops.push(() => clearInterval(write));
  });
  const client = startTestClient();
  stops.push(host.stop, client.close);
  return { host, client, sockets };
}

test.if(getsockopt !== undefined)(
  'an answer that waits for its reader gets a small receive buffer, and arrives whole',
  async () => {
    const { host, client, sockets } = start(8 * MEGABYTE);
    const answer = await client.send(host.url);
    let length = 0;
    let maxBytes = 0;
    for (let piece = await answer.read(); piece; piece = await answer.read()) {
      length += piece.length;
      // Without a bound of its own, the kernel enlarges the buffer with what is read.
      if (length > MEGABYTE && length < 7 * MEGABYTE) maxBytes = Math.max(maxBytes, bufferOf(sockets[0]!));
    }
    expect(maxBytes).toBe(2 * NARROW_BYTES);
    expect(length).toBe(8 * MEGABYTE);
    await waitFor(() => client.kept() === 1);
    expect(bufferOf(sockets[0]!)).toBeGreaterThan(256 * 1024);
  },
);
