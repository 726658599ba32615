import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { chatBody } from './support/call.ts';
import { type RawAnswer, startRawUpstream, streamHead } from './support/raw-upstream.ts';
import { startServer } from './support/start-server.ts';
import { waitFor } from './support/wait-for.ts';
import { ableModel } from './support/wire-models.ts';

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

const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

/** Asks and reads the first of the answer, no more. */
async function askAndStall(): Promise<{ socket: Socket; closed: Promise<unknown> }> {
  const body = JSON.stringify(chatBody('endless', { stream: true }));
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return { socket, closed };
}

const delta = (content: string) =>
  `data: ${JSON.stringify({ id: 'hidden', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** Sends without an end, as long as it is taken. */
function sendEndlessly(answers: { answer: RawAnswer; sentBytes: number; isClosed: boolean }[]) {
  const piece = delta('x'.repeat(64 * 1024));
  upstream.answer('hidden-model', async (answer) => {
    const sending = { answer, sentBytes: 0, isClosed: false };
    answers.push(sending);
    void answer.closed.then(() => {
      sending.isClosed = true;
    });
    answer.send(streamHead);
    while (!sending.isClosed && sending.sentBytes < 256 * MEGABYTE) {
      if (answer.waitingBytes() === 0) {
        answer.send(piece);
        sending.sentBytes += piece.length;
      } else await answer.pause();
    }
  });
}

test('a reader that stops slows its upstream down, and is cut off', async () => {
  const sendings: { answer: RawAnswer; sentBytes: number; isClosed: boolean }[] = [];
  sendEndlessly(sendings);
  const before = residentMb();
  const readers = await Promise.all(Array.from({ length: 4 }, askAndStall));
  await waitFor(() => sendings.length === 4 && sendings.every(({ isClosed }) => isClosed));
  // What the sockets of both sides hold, and no more.
  for (const { sentBytes } of sendings) expect(sentBytes).toBeLessThan(64 * MEGABYTE);
  expect(residentMb() - before).toBeLessThan(128);
  for (const { socket } of readers) socket.resume();
  await Promise.all(readers.map(({ closed }) => closed));
  expect(server.log()).not.toContain('"level":"error"');
  expect(server.log()).not.toContain('upstream_timeout');
});
