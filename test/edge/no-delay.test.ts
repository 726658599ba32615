import { ptr } from 'bun:ffi';
import { afterAll, expect, test } from 'bun:test';
import { loadCLibrary } from '../../src/base/lib/load-c-library.ts';
import { openKernelSockets } from '../../src/edge/connections/kernel-sockets.ts';
import { startTestClient } from '../../src/upstream/http-client/testing/test-client.ts';
import { listenOnRoutes } from '../support/listen-on-routes.ts';

// The gateway's client asks the gateway's server in one process, so that both ends of the
// connection are its descriptors.

const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;

const half = Promise.withResolvers<void>();
async function* body() {
  yield 'one';
  await half.promise;
  yield 'two';
}
const server = listenOnRoutes([
  {
    method: 'POST',
    path: '/v1/stream',
    handle: () => ({ status: 200, body: body() }),
    describe: { summary: 'Streams', answer: 'None.' },
  },
]);
const client = startTestClient();
afterAll(async () => {
  client.close();
  await server.close();
});

const library = loadCLibrary({
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
});

function isSentAtOnce(descriptor: number): boolean {
  const value = new Int32Array(new ArrayBuffer(4));
  const length = new Uint32Array([4]);
  expect(library!.getsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, ptr(value), ptr(length))).toBe(0);
  return value[0] !== 0;
}

const descriptors = Array.from({ length: 1_024 }, (_, descriptor) => descriptor);

test.if(library !== undefined)(
  'small pieces leave at once in both directions, towards clients and upstreams',
  async () => {
    const answer = await client.send(`${server.url}/v1/stream`);
    expect(Buffer.from((await answer.read())!).toString()).toContain('one');
    const sockets = openKernelSockets()!;
    const accepted = descriptors.find((descriptor) => sockets.peerPort(descriptor, server.port));
    const clientPort = sockets.peerPort(accepted!, server.port)!;
    const connected = descriptors.find((descriptor) => sockets.peerPort(descriptor, clientPort));
    for (const descriptor of [accepted, connected]) expect(isSentAtOnce(descriptor!)).toBe(true);
    half.resolve();
    await answer.readText();
  },
);
