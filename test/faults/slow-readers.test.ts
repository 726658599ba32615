import { afterAll, expect, test } from 'bun:test';
import { askAndStall } from '../support/ask-and-stall.ts';
import { residentMb } from '../support/process-memory.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { sendEndlessly } from '../support/send-endlessly.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const READERS = 12;
const READ_EVERY_MS = 250;
const READ_PIECES = 16;
const MEGABYTE = 1024 * 1024;
/** The capacity of the four sockets between an upstream and its reader. */
const MAX_BETWEEN = 24 * MEGABYTE;
/**
 * A bound for the readers' buffers and the garbage between two collections.
 * Without back-pressure the server would hold 256 MB a reader.
 */
const MAX_KEPT_MB = READERS * 2 + 120;
/** The sockets are full when the upstreams have sent nothing for this long. */
const SETTLED_MS = 1_000;
const POLL_MS = 50;

const upstream = startRawUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'host', wire: 'openai-chat', base_url: upstream.url }],
    catalog: { default: false, models: [ableModel('endless', [{ provider: 'host', model: 'up-endless' }])] },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});

/** Waits until the upstreams have stopped sending. */
async function settle(sentBytes: () => number): Promise<void> {
  let before = -1;
  for (let quietMs = 0; quietMs < SETTLED_MS; quietMs += POLL_MS) {
    const now = sentBytes();
    if (now !== before) quietMs = 0;
    before = now;
    await Bun.sleep(POLL_MS);
  }
}

test('readers that are slow hold their upstreams back, while the memory stays what it is and nobody is cut off', async () => {
  const { key } = await server.createKey('enterprise');
  const sendings = sendEndlessly(upstream, 'up-endless');
  const sentBytes = () => sendings.reduce((sum, sending) => sum + sending.sentBytes, 0);
  const asking = { url: server.url, key, model: 'endless' };
  const memoryBefore = residentMb(server.pid);
  const keptMb = () => residentMb(server.pid) - memoryBefore;
  const readers = await Promise.all(Array.from({ length: READERS }, () => askAndStall(asking)));
  await settle(sentBytes);
  const sentWhileStalled = sentBytes();
  expect(sentWhileStalled).toBeLessThan(READERS * MAX_BETWEEN);
  expect(keptMb()).toBeLessThan(MAX_KEPT_MB);
  let readBytes = 0;
  for (const { socket } of readers)
    socket.on('data', (bytes) => {
      readBytes += bytes.length;
      socket.pause();
    });
  // The kernel reports room in a full socket only when much of it is free, so the
  // upstreams continue in large steps.
  const hasMovedOn = () => sentBytes() > sentWhileStalled && readBytes > READERS * MEGABYTE;
  for (let pieces = 0; pieces < READ_PIECES || !hasMovedOn(); pieces++) {
    for (const { socket } of readers) socket.resume();
    await Bun.sleep(READ_EVERY_MS);
  }
  await settle(sentBytes);
  expect(sentBytes() - readBytes).toBeLessThan(READERS * MAX_BETWEEN);
  expect(keptMb()).toBeLessThan(MAX_KEPT_MB);
  expect(sendings).toHaveLength(READERS);
  expect(sendings.filter(({ isClosed }) => isClosed)).toEqual([]);
  for (const { socket } of readers) socket.destroy();
  await waitFor(() => sendings.every(({ isClosed }) => isClosed));
  expect(server.log()).not.toContain('"level":"error"');
});
