import { afterAll, expect, test } from 'bun:test';
import { startTestClient } from './testing/test-client.ts';

const KILOBYTE = 1024;
const LENGTH = 3_000 * KILOBYTE;
/** The part of an answer that needs no booking. */
const FREE = 512 * KILOBYTE;

const client = startTestClient();
const body = 'x'.repeat(LENGTH);

const lengthFields: Record<string, string> = {
  known: `content-length: ${LENGTH}`,
  repeated: `content-length: ${LENGTH}\r\ncontent-length: ${LENGTH}`,
};

/** Sends the answer to each request, as fast as it is read. */
const host = Bun.listen<{ unsent: Buffer }>({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket, request) {
      const path = /\w+(?= HTTP)/.exec(request.toString('latin1'))?.[0] ?? '';
      const head = lengthFields[path] ?? 'x-length: none';
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

async function memoryFor(path: string, maxBytes?: number) {
  const asked: number[] = [];
  const reserveMemory = (bytes: number) => {
    asked.push(bytes);
    return true;
  };
  const answer = await client.send(`http://127.0.0.1:${host.port}/${path}`, {
    reserveMemory,
    ...(maxBytes !== undefined && { maxBytes }),
  });
  const { text, isCut } = await answer.readText();
  return { asked, length: text.length, isCut };
}

test('books memory once for an answer of known length', async () => {
  expect(await memoryFor('known')).toEqual({ asked: [LENGTH - FREE], length: LENGTH, isCut: false });
});

test('books memory for an answer whose length is sent twice', async () => {
  expect((await memoryFor('repeated')).asked).toEqual([LENGTH - FREE]);
});

test('books memory step by step for an answer of unknown length', async () => {
  const { asked, length } = await memoryFor('unknown');
  expect(length).toBe(LENGTH);
  expect(asked.length).toBeGreaterThan(1);
  expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(LENGTH - FREE);
});

test('books memory up to the size limit for an answer that will be cut', async () => {
  const most = 1_000 * KILOBYTE;
  const { asked, length, isCut } = await memoryFor('known', most);
  expect({ length, isCut }).toEqual({ length: most, isCut: true });
  expect(Math.max(...asked)).toBeLessThan(LENGTH - FREE);
});
