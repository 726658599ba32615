import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { GroupCommitWriter } from './group-commit-writer.ts';
import { LogMover, type LogThread } from './log-mover.ts';
import { openTestConnection } from './testing/open-test-connection.ts';

const WRITERS = 40;
const WRITES = 40_000;

/** Writes without a pause, one page per write. Returns the longest log, and the number of stored rows. */
async function writeALot(start?: () => LogThread): Promise<{ longest: number; stored: number }> {
  const { path, connection, remove } = openTestConnection();
  connection.script('CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  let longest = 0;
  const mover = new LogMover({ connection, isInPlace: () => true, ...(start && { start }) });
  const writer = new GroupCommitWriter({
    connection,
    refusal: () => undefined,
    flush: async () => {
      longest = Math.max(longest, connection.logLength().log);
      mover.committed();
    },
    pause: () => mover.pause,
  });
  let next = 0;
  const text = 'x'.repeat(3_500);
  const writeOn = async () => {
    while (next < WRITES) {
      const id = next++;
      await writer.write((database) => database.run('INSERT INTO item VALUES ($id, $text)', { id, text }));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeOn));
  await writer.close();
  await mover.close();
  connection.close();
  const stored = countRows(path);
  remove();
  return { longest, stored };
}

function countRows(path: string): number {
  using database = new Database(path, { readonly: true });
  return (database.query('SELECT COUNT(*) AS count FROM item').get() as { count: number }).count;
}

test('the log stays bounded under continuous writes without a loss of data', async () => {
  const { longest, stored } = await writeALot();
  expect(longest).toBeLessThan(20_000);
  expect(stored).toBe(WRITES);
});

test('SQLite moves the log itself if the thread cannot start', async () => {
  const { longest, stored } = await writeALot(() => {
    throw new Error('no thread available');
  });
  expect(longest).toBeLessThan(6_000);
  expect(stored).toBe(WRITES);
});

test('a log whose length cannot be read during a move is moved after later commits', async () => {
  const orders: unknown[] = [];
  const thread: LogThread = {
    postMessage(order: unknown) {
      orders.push(order);
      queueMicrotask(() => this.onmessage?.(new MessageEvent('message')));
    },
    onmessage: null,
    onerror: null,
    terminate() {},
    unref() {},
  };
  let reads = 0;
  const failing = {
    path: 'test.db',
    moveLogItself() {},
    logLength() {
      reads += 1;
      if (reads === 2) throw new Error('disk I/O error');
      return { log: 2_000, checkpointed: 0 };
    },
  };
  const mover = new LogMover({
    connection: failing,
    isInPlace: () => true,
    start: () => thread,
  });
  for (let round = 1; round <= 2; round++) {
    for (let commit = 0; commit < 32; commit++) mover.committed();
    await new Promise((resolve) => setImmediate(resolve));
    expect({ orderCount: orders.length, pause: mover.pause }).toEqual({
      orderCount: round,
      pause: undefined,
    });
  }
  await mover.close();
});
