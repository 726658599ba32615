import { afterAll, expect, test } from 'bun:test';
import { askAndStall, residentMb, sendEndlessly } from '../support/endless-stream.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const READERS = 12;
/** A piece is what the runtime takes from a socket at once: half a megabyte. */
const READ_EVERY_MS = 3_000;
const MEGABYTE = 1024 * 1024;
/** What the four sockets between an upstream and its reader hold. */
const MOST_BETWEEN = 24 * MEGABYTE;
const FILLING_MS = 3_000;
const WATCHED_MS = 6_000;

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

test('readers that are slow hold their upstreams back, while the memory stays what it is and nobody is cut off', async () => {
  const { key } = await server.createKey('enterprise');
  const sendings = sendEndlessly(upstream, 'up-endless');
  const asking = { url: server.url, key, model: 'endless' };
  const readers = await Promise.all(Array.from({ length: READERS }, () => askAndStall(asking)));
  let readBytes = 0;
  let isOver = false;
  const reading = readers.map(async ({ socket }) => {
    socket.on('data', (bytes) => {
      readBytes += bytes.length;
      socket.pause();
    });
    while (!isOver) {
      socket.resume();
      await Bun.sleep(READ_EVERY_MS);
    }
  });
  const sentBytes = () => sendings.reduce((sum, sending) => sum + sending.sentBytes, 0);
  await Bun.sleep(FILLING_MS);
  const memoryBefore = residentMb(server.pid);
  await Bun.sleep(WATCHED_MS);
  expect(readBytes).toBeGreaterThan(MEGABYTE);
  expect(sentBytes() - readBytes).toBeLessThan(READERS * MOST_BETWEEN);
  expect(residentMb(server.pid)).toBeLessThan(memoryBefore * 1.1);
  expect([sendings.length, sendings.filter(({ isClosed }) => isClosed).length]).toEqual([READERS, 0]);
  isOver = true;
  for (const { socket } of readers) socket.destroy();
  await Promise.all(reading);
  await waitFor(() => sendings.every(({ isClosed }) => isClosed));
  expect(server.log()).not.toContain('"level":"error"');
});
