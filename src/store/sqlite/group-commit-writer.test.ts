import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { StoreProblem } from '../store-problem.ts';
import { GroupCommitWriter, MAX_WAITING_WRITES } from './group-commit-writer.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { MAX_WRITES_PER_COMMIT } from './take-batch.ts';
import { openTestConnection } from './testing/open-test-connection.ts';

let path: string;
let connection: SqliteConnection;
let remove: () => void;
let writer: GroupCommitWriter;
let commits: number;
let refusal: StoreProblem | undefined;
let flush: () => Promise<void>;

beforeEach(() => {
  ({ path, connection, remove } = openTestConnection());
  connection.script('CREATE TABLE item (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  commits = 0;
  refusal = undefined;
  flush = async () => {};
  writer = new GroupCommitWriter({
    connection,
    refusal: () => {
      commits += 1;
      return refusal;
    },
    flush: () => flush(),
    retryMs: 5,
    gatherMs: 60_000,
  });
});

afterEach(() => {
  connection.close();
  remove();
});

const insert = (id: number, text = '') =>
  writer.write((database) => database.run('INSERT INTO item VALUES ($id, $text)', { id, text }));
const stored = () => connection.all('SELECT id FROM item ORDER BY id').map(({ id }) => id);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('commits the writes of each turn in one transaction', async () => {
  await Promise.all(numbers(100).map((id) => insert(id)));
  expect(commits).toBe(1);
  await Promise.all([insert(100), insert(101)]);
  expect(commits).toBe(2);
  expect(stored()).toEqual(numbers(102));
});

test('a transaction waits a bounded time while each turn adds a write', async () => {
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const inTurns = async (count: number, first: number) => {
    const writing: Promise<unknown>[] = [];
    for (const id of numbers(count)) {
      const turn = nextTurn(); // before the writer's own
      writing.push(insert(first + id));
      await turn;
    }
    await Promise.all(writing);
  };
  await inTurns(8, 0);
  expect(commits).toBe(1);
  await inTurns(40, 100);
  expect(commits).toBeGreaterThan(2);
  expect(stored()).toHaveLength(48);
});

test('returns the result of its own job to each writer', async () => {
  const results = await Promise.all(numbers(20).map((id) => writer.write(() => `result ${id}`)));
  expect(results).toEqual(numbers(20).map((id) => `result ${id}`));
});

test('rolls back only the job that throws', async () => {
  const failing = writer.write((database) => {
    database.run('INSERT INTO item VALUES (50, $text)', { text: 'half done' });
    throw new RangeError('no');
  });
  const results = await Promise.allSettled([insert(1), failing, insert(1), insert(2)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: new RangeError('no') });
  expect(commits).toBe(1);
  expect(writer.failures).toBe(0);
  expect(stored()).toEqual([1, 2]);
});

test('reverts changes of jobs outside the database before they run again one by one', async () => {
  const kept: string[] = [];
  const keep = (name: string, { fails = false } = {}) =>
    writer.write(
      () => {
        kept.push(name);
        if (fails) throw new RangeError('no');
      },
      () => void kept.pop(),
    );
  await Promise.allSettled([keep('a'), keep('b', { fails: true }), keep('c')]);
  expect(kept).toEqual(['a', 'c']);
});

test('reverts changes of jobs outside the database if the commit itself fails', async () => {
  connection.script('CREATE TABLE child (item INTEGER REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)');
  const kept: string[] = [];
  const keep = (name: string, orphan: number) =>
    writer.write(
      (database) => {
        kept.push(name);
        database.run('INSERT INTO child VALUES ($orphan)', { orphan });
      },
      () => void kept.pop(),
    );
  const results = await Promise.allSettled([keep('a', 1), keep('b', 2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(kept).toEqual([]);
});

test('acknowledges a write only when another connection can read it', async () => {
  const reader = new Database(path, { readonly: true });
  const count = () => reader.query('SELECT count(*) AS n FROM item').get();
  const seen: unknown[] = [];
  await Promise.all([insert(1).then(() => seen.push(count())), insert(2).then(() => seen.push(count()))]);
  expect(seen).toEqual([{ n: 2 }, { n: 2 }]);
  reader.close(true);
});

test('yields to the event loop between transactions of a bounded size', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await Promise.all(numbers(MAX_WRITES_PER_COMMIT * 8 + 1).map((id) => insert(id, 'x'.repeat(500))));
  clearInterval(timer);
  expect(commits).toBe(9);
  expect(turns).toBeGreaterThan(2);
});

test('serves sockets while writes arrive without a pause', async () => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('served') });
  let busy = true;
  let next = 0;
  const writeOn = async () => {
    while (busy) await insert(next++);
  };
  const writers = numbers(32).map(writeOn);
  for (const _ of numbers(20)) expect(await (await fetch(server.url)).text()).toBe('served');
  busy = false;
  await Promise.all(writers);
  await server.stop(true);
  expect(stored()).toHaveLength(next);
});

test('a full queue refuses only the new write', async () => {
  const waiting = numbers(MAX_WAITING_WRITES).map((id) => insert(id));
  await expect(insert(-1)).rejects.toThrow('10000 changes are already waiting for the disk');
  await Promise.all(waiting);
  expect(stored()).toEqual(numbers(MAX_WAITING_WRITES));
  await insert(-1);
});

test('a refused transaction fails only its own writes', async () => {
  refusal = new StoreProblem('moved', 'move it back');
  const results = await Promise.allSettled([insert(1), insert(2)]);
  expect(results).toMatchObject([{ reason: refusal }, { reason: refusal }]);
  expect(writer.failures).toBe(1);
  refusal = undefined;
  await insert(3);
  expect(stored()).toEqual([3]);
});

test('fails all writes of a transaction and keeps none of them when the disk is full', async () => {
  await insert(1);
  connection.script('PRAGMA max_page_count = 8');
  const results = await Promise.allSettled([insert(2), insert(3, 'x'.repeat(100_000)), insert(4)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  for (const result of results) expect(result).toMatchObject({ reason: { name: 'StoreProblem' } });
  expect(stored()).toEqual([1]);
  expect(connection.inTransaction).toBe(false);
  await insert(5);
  expect(stored()).toEqual([1, 5]);
});

test('a close commits the queued writes only', async () => {
  const waiting = numbers(MAX_WRITES_PER_COMMIT + 10).map((id) => insert(id));
  await writer.close();
  expect(stored()).toHaveLength(waiting.length);
  await Promise.all(waiting);
  await expect(insert(-1)).rejects.toBeInstanceOf(StoreProblem);
});

test('acknowledges a write after its flush, while later writes gather for the next one', async () => {
  const flushes: (() => void)[] = [];
  flush = () => new Promise((resolve) => flushes.push(resolve));
  const acknowledged: number[] = [];
  const write = (id: number) => insert(id).then(() => acknowledged.push(id));
  const first = write(1);
  while (flushes.length === 0) await new Promise(setImmediate);
  const others = [2, 3, 4].map(write);
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
  expect({ acknowledged, flushCount: flushes.length }).toEqual({ acknowledged: [], flushCount: 1 });
  flushes[0]!();
  await first;
  while (flushes.length === 1) await new Promise(setImmediate);
  expect(acknowledged).toEqual([1]);
  expect(stored()).toEqual([1, 2, 3, 4]);
  flushes[1]!();
  await Promise.all(others);
  expect(acknowledged).toEqual([1, 2, 3, 4]);
});

test('refuses other writes until the flush of a commit succeeds', async () => {
  const problem = new StoreProblem('the disk failed', 'look at it');
  let tries = 0;
  flush = async () => {
    if (++tries < 3) throw problem;
  };
  const first = insert(1);
  while (tries === 0) await new Promise(setImmediate);
  await expect(insert(2)).rejects.toBe(problem);
  await first;
  expect(stored()).toEqual([1]);
  expect(tries).toBe(3);
  await insert(3);
});

test('a flush that never succeeds does not prevent the store from closing', async () => {
  flush = () => Promise.reject(new StoreProblem('the disk failed', 'look at it'));
  const first = insert(1);
  await Promise.all([writer.close(), expect(first).rejects.toBeInstanceOf(StoreProblem)]);
});

test('runs a write that a job requests in the next transaction', async () => {
  const inner = await writer.write(() => insert(1));
  expect(inner).toBe(1);
  expect(commits).toBe(2);
});

test('reports the size and the time of each transaction that is on disk', async () => {
  const observed: [writes: number, isTimed: boolean][] = [];
  writer.observer = (writes, milliseconds) => observed.push([writes, milliseconds > 0]);
  await Promise.all(numbers(30).map((id) => insert(id)));
  refusal = new StoreProblem('no', 'none');
  await Promise.allSettled([insert(30)]);
  refusal = undefined;
  const queued = [insert(31), insert(32)];
  expect(writer.waiting).toBe(2);
  await Promise.all(queued);
  expect(observed).toEqual([
    [30, true],
    [2, true],
  ]);
  expect(writer.waiting).toBe(0);
});

test('a read during a flush returns after it, so that a power loss cannot undo what it found', async () => {
  const seen: string[] = [];
  let release = (): void => {};
  const { promise, resolve } = Promise.withResolvers<void>();
  flush = () => {
    resolve();
    return new Promise((done) => {
      release = () => {
        seen.push('flushed');
        done();
      };
    });
  };
  const writing = insert(1);
  await promise;
  const reading = writer.afterFlush(stored()).then((ids) => seen.push(`read ${ids}`));
  await new Promise((done) => setImmediate(done));
  release();
  await Promise.all([writing, reading]);
  expect(seen).toEqual(['flushed', 'read 1']);
});

test('a read does not wait for a disk that fails to flush', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let failures = 0;
  flush = async () => {
    failures += 1;
    if (failures === 3) resolve();
    if (failures < 5) throw new Error('no flush');
  };
  const writing = insert(1);
  await promise;
  expect(await writer.afterFlush(stored())).toEqual([1]);
  expect(failures).toBeLessThan(5);
  await writing;
});
