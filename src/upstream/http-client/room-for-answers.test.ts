import { afterAll, expect, test } from 'bun:test';
import { startTestClient } from './testing/test-client.ts';

const KILOBYTE = 1024;
const LENGTH = 3_000 * KILOBYTE;
/** What of an answer needs no room. */
const FREE = 512 * KILOBYTE;

const client = startTestClient();
const body = 'x'.repeat(LENGTH);

/** Sends that answer to whoever asks, as fast as it is taken. */
const host = Bun.listen<{ unsent: Buffer }>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket, request) {
      const head = request.toString('latin1').includes('/known')
        ? `content-length: ${LENGTH}`
        : 'x-length: none';
      socket.data = { unsent: Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\nconnection: close\r\n\r\n${body}`) };
      flush(socket);
    },
    drain: (socket) => flush(socket),
  },
});
function flush(socket: Bun.Socket<{ unsent: Buffer }>): void {
  const { data } = socket;
  data.unsent = data.unsent.subarray(Math.max(0, socket.write(data.unsent)));
  if (data.unsent.length === 0) socket.end();
}
afterAll(() => {
  client.close();
  host.stop(true);
});

async function roomFor(path: string, mostBytes?: number) {
  const asked: number[] = [];
  const makeRoom = (bytes: number) => {
    asked.push(bytes);
    return true;
  };
  const answer = await client.send(`http://127.0.0.1:${host.port}/${path}`, {
    makeRoom,
    ...(mostBytes !== undefined && { mostBytes }),
  });
  const { text, isCut } = await answer.readText();
  return { asked, length: text.length, isCut };
}

test('an answer of known length asks once, for all that is left of it', async () => {
  expect(await roomFor('known')).toEqual({ asked: [LENGTH - FREE], length: LENGTH, isCut: false });
});

test('an answer of unknown length asks for room as it comes', async () => {
  const { asked, length } = await roomFor('unknown');
  expect(length).toBe(LENGTH);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(LENGTH - FREE);
});

test('an answer that will be cut asks for no more than is taken of it', async () => {
  const most = 1_000 * KILOBYTE;
  const { asked, length, isCut } = await roomFor('known', most);
  expect([length, isCut]).toEqual([most, true]);
  expect(Math.max(...asked)).toBeLessThan(LENGTH - FREE);
});
