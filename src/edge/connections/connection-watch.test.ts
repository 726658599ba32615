import { afterEach, expect, test } from 'bun:test';
import { ConnectionWatch, type Peer, type WatchOptions } from './connection-watch.ts';
import type { KernelSockets, SocketFigures } from './kernel-sockets.ts';

const LOCAL_PORT = 8080;
const TIMES = { idleMs: 75_000, headMs: 10_000, stalledMs: 30_000 };
const NEW: SocketFigures = { received: 0, sent: 0, taken: 0, isSending: false, sinceReceivedMs: 0 };

type FakeSocket = { address: string; port: number; figures: SocketFigures };

/** Makes a watch over simulated sockets, and a clock that only the test advances. */
function watched(options: Partial<WatchOptions> = {}) {
  const open = new Map<number, FakeSocket>();
  const ended: string[] = [];
  const reported: string[] = [];
  const received = new Map<number, number>();
  const inUse: Peer[] = [];
  const idleSockets: Peer[] = [];
  const end = (how: string) => (descriptor: number) => {
    ended.push(`${how} ${descriptor}`);
    open.delete(descriptor);
  };
  const sockets: KernelSockets = {
    peerPort: (descriptor) => open.get(descriptor)?.port,
    peerAddress: (descriptor) => open.get(descriptor)!.address,
    figures: (descriptor) => open.get(descriptor)?.figures,
    close: end('close'),
    reset: end('reset'),
  };
  const watch = new ConnectionWatch({
    sockets,
    localPort: LOCAL_PORT,
    times: () => TIMES,
    perNetwork: () => 1_000,
    networkOf: (address: string) => address,
    inUse: () => inUse,
    idleSockets: () => idleSockets,
    received: (peer, bytes) => received.set(peer.port, bytes),
    closed: (reason) => reported.push(reason),
    ...options,
  });
  watches.push(watch);
  let second = 0;
  return {
    watch,
    ended,
    reported,
    received,
    inUse,
    idleSockets,
    open(descriptor: number, figures: Partial<SocketFigures> = {}, address = '192.0.2.1'): Peer {
      open.set(descriptor, { address, port: 50_000 + descriptor, figures: { ...NEW, ...figures } });
      return { address, port: 50_000 + descriptor };
    },
    /** Runs one round a second, and applies a change to a connection's figures before each. */
    pass(seconds: number, descriptor?: number, change?: (figures: SocketFigures) => Partial<SocketFigures>) {
      for (let passed = 0; passed < seconds; passed++) {
        const socket = open.get(descriptor ?? -1);
        if (socket && change) socket.figures = { ...socket.figures, ...change(socket.figures) };
        watch.round(++second * 1_000);
      }
    },
  };
}

const watches: ConnectionWatch[] = [];
afterEach(() => {
  for (const watch of watches.splice(0)) watch.close();
});

const drips = ({ received }: SocketFigures) => ({ received: received + 1 });

test('ends a slow request head after the header timeout, whether it is the first or a later one', () => {
  const server = watched();
  server.open(7);
  server.open(8, { received: 200, sent: 500, taken: 500 });
  server.pass(1);
  server.pass(12, 7, drips);
  expect(server.ended).toEqual(['close 7']);
  server.pass(12, 8, drips);
  expect({ ended: server.ended, reported: server.reported }).toEqual({
    ended: ['close 7', 'close 8'],
    reported: ['head-late', 'head-late'],
  });
});

test('does not treat answered requests as slow heads', () => {
  const server = watched();
  server.open(7);
  server.pass(200, 7, ({ received, sent }) => ({ received: received + 100, sent: sent + 300 }));
  expect(server.ended).toEqual([]);
});

test('restarts the times of a connection after the answer to a request in flight', () => {
  const server = watched();
  server.inUse.push(server.open(7, { received: 300 }));
  server.pass(600);
  server.inUse.pop();
  server.pass(1, 7, () => ({ sent: 1_000, taken: 1_000 }));
  server.pass(75);
  expect(server.ended).toEqual([]);
  server.pass(1);
  expect(server.reported).toEqual(['idle']);
});

test('discards the rest of an answer whose reader has stopped', () => {
  const server = watched();
  server.open(7, { received: 100, sent: 9_000_000, taken: 128_000, isSending: true });
  server.pass(31);
  expect(server.ended).toEqual([]);
  server.pass(1);
  expect({ ended: server.ended, reported: server.reported }).toEqual({
    ended: ['reset 7'],
    reported: ['stalled'],
  });
});

test('does not cut off a slow reader that takes 4 KB in that time', () => {
  const server = watched();
  server.open(7, { received: 100, sent: 9_000_000, isSending: true });
  server.pass(300, 7, ({ taken }) => ({ taken: taken + 200 }));
  expect(server.ended).toEqual([]);
  server.pass(60, 7, ({ taken }) => ({ taken: taken + 100 }));
  expect(server.reported).toEqual(['stalled']);
});

test('closes the connections of a network over its limit that have been quiet the longest and have no request in flight', () => {
  const server = watched({ perNetwork: () => 2 });
  server.inUse.push(server.open(5, { sinceReceivedMs: 9_000 }));
  for (const descriptor of [6, 7, 8, 9]) server.open(descriptor, { sinceReceivedMs: descriptor * 100 });
  for (const descriptor of [10, 11]) server.open(descriptor, { sinceReceivedMs: 5_000 }, '198.51.100.1');
  server.pass(1);
  expect(server.ended).toEqual(['close 9', 'close 8', 'close 7']);
  expect(server.watch.count).toBe(4);
});

test('does not limit the connections of networks that are not counted', () => {
  const server = watched({ perNetwork: () => 2, networkOf: () => undefined });
  for (let descriptor = 5; descriptor < 50; descriptor++) server.open(descriptor);
  server.pass(3);
  expect(server.ended).toEqual([]);
});

test('treats a reused descriptor as another connection', () => {
  const server = watched();
  server.open(7, { received: 1, sent: 0 });
  server.pass(8);
  server.open(7, { received: 0 }, '198.51.100.1');
  server.pass(8);
  expect(server.ended).toEqual([]);
});

test('reads the bytes that a client has taken from its own connection', () => {
  const server = watched();
  const peer = server.open(7, { sent: 10, taken: 4 });
  expect(server.watch.bytesTaken(peer)).toBeUndefined();
  server.pass(1);
  expect(server.watch.bytesTaken(peer)).toBe(4);
  expect(server.watch.bytesTaken({ ...peer, address: '203.0.113.1' })).toBeUndefined();
});

test('finds connections after many other descriptors, in several rounds', () => {
  const server = watched();
  for (let descriptor = 0; descriptor < 10_000; descriptor += 1_000) server.open(descriptor);
  server.pass(3);
  expect(server.watch.count).toBe(10);
});

test('idle WebSockets count in a crowd, and outlast all timeouts', () => {
  const server = watched({ perNetwork: () => 2 });
  for (const descriptor of [5, 6, 7]) {
    const peer = server.open(descriptor, { sinceReceivedMs: 9_000 - descriptor });
    server.inUse.push(peer);
    if (descriptor !== 5) server.idleSockets.push(peer);
  }
  server.pass(200);
  expect(server.ended).toEqual(['close 6']);
  expect(server.reported).toEqual(['crowded']);
});

test('each pass reports the bytes that a connection has received', () => {
  const server = watched();
  const peer = server.open(7, { received: 300 });
  server.pass(1);
  expect(server.received.get(peer.port)).toBe(300);
  server.pass(1, 7, () => ({ received: 5_000 }));
  expect(server.received.get(peer.port)).toBe(5_000);
  expect(server.watch.bytesReceived(peer)).toBe(5_000);
});
