import { afterAll, expect, test } from 'bun:test';
import { askAndStall } from '../support/ask-and-stall.ts';
import { residentMb } from '../support/process-memory.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { sendEndlessly } from '../support/send-endlessly.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const MEGABYTE = 1024 * 1024;
const upstream = startRawUpstream();
const config = {
  simulator: { mode: 'off' },
  // Less than a reader may stop for: that it stops is no fault of the upstream's.
  providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: upstream.url, timeouts: { idle_ms: 500 } }],
  catalog: {
    default: false,
    models: [ableModel('endless', [{ provider: 'hidden-host', model: 'hidden-model' }])],
  },
  limits: { stalled_write_s: 0.8 },
};
const server = await startServer({ config });
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const { key } = await server.createKey('enterprise');

test("slows the upstream of a stopped reader, and closes the reader's connection", async () => {
  const sendings = sendEndlessly(upstream, 'hidden-model');
  const before = residentMb(server.pid);
  const asking = { url: server.url, key, model: 'endless' };
  const readers = await Promise.all(Array.from({ length: 4 }, () => askAndStall(asking)));
  await waitFor(() => sendings.length === 4 && sendings.every(({ isClosed }) => isClosed));
  // Each sending has at most the bytes that the sockets of both sides hold.
  for (const { sentBytes } of sendings) expect(sentBytes).toBeLessThan(64 * MEGABYTE);
  expect(residentMb(server.pid) - before).toBeLessThan(128);
  for (const { socket } of readers) socket.resume();
  await Promise.all(readers.map(({ closed }) => closed));
  expect(server.log()).not.toContain('"level":"error"');
  expect(server.log()).not.toContain('upstream_timeout');
});
