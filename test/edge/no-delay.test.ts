import { ptr } from 'bun:ffi';
import { afterAll, expect, test } from 'bun:test';
import { systemClock } from '../../src/base/lib/clock.ts';
import { loadCLibrary } from '../../src/base/lib/load-c-library.ts';
import { namesOf } from '../../src/base/lib/names.ts';
import { openKernelSockets } from '../../src/edge/connections/kernel-sockets.ts';
import { listen } from '../../src/edge/http/listen.ts';
import { Router } from '../../src/edge/http/router.ts';
import { UnderWay } from '../../src/edge/http/under-way.ts';
import type { Snapshot } from '../../src/settings/snapshot/snapshot.ts';
import { startTestClient } from '../../src/upstream/http-client/testing/test-client.ts';

// The gateway's client asks the gateway's server in one process, so that both ends of the
// connection are its descriptors.

const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;

const limits = { stalled_write_s: 60 };
const config = { server: { cors: { origins: [] }, idle_timeout_s: 75, header_timeout_s: 10 }, limits };
const half = Promise.withResolvers<void>();
const describe = { summary: 'Streams', answer: 'None.' };
const body = async function* () {
  yield 'one';
  await half.promise;
  yield 'two';
};
const server = listen(
  {
    router: new Router([
      { method: 'POST', path: '/v1/stream', handle: () => ({ status: 200, body: body() }), describe },
    ]),
    snapshot: () => ({ names: namesOf('svc'), trustedProxies: [], config }) as unknown as Snapshot,
    clock: systemClock,
    closesConnections: () => false,
    underWay: new UnderWay(),
    observer: { opened() {}, answered() {}, finished() {}, onFailure() {} },
  },
  {
    hostname: '127.0.0.1',
    port: 0,
    headerTimeoutS: 10,
    times: () => ({ idleMs: 60_000, headMs: 60_000, stalledMs: 60_000 }),
    perNetwork: () => 100,
    networkOf: () => undefined,
    closed() {},
  },
);
const client = startTestClient();
afterAll(async () => {
  client.close();
  await server.close();
});

const library = loadCLibrary({
  getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
});

function isSentAtOnce(descriptor: number): boolean {
  const [value, length] = [new Int32Array(new ArrayBuffer(4)), new Uint32Array([4])];
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
    expect([accepted, connected].map((descriptor) => isSentAtOnce(descriptor!))).toEqual([true, true]);
    half.resolve();
    await answer.readText();
  },
);
