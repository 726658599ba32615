import { expect, test } from 'bun:test';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LogFlush } from './log-flush.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

test('flushes the log, and after a failure moves its content into the database and flushes that', async () => {
  const { directory, remove } = temporaryDirectory();
  const path = join(directory, 'test.db');
  closeSync(openSync(path, 'wx'));
  const connection = new SqliteConnection(path);
  connection.configure();
  connection.script('CREATE TABLE item (id INTEGER PRIMARY KEY) STRICT');
  const logSize = () => statSync(`${path}-wal`).size;
  const flushed: number[] = [];
  let isBroken = false;
  const log = new LogFlush(connection, async () => {
    if (isBroken) throw new Error('EIO');
    flushed.push(logSize());
  });
  for (const id of [1, 2]) {
    connection.run('INSERT INTO item VALUES ($id)', { id });
    await log.flush();
  }
  expect(flushed).toEqual([expect.any(Number), logSize()]);
  isBroken = true;
  connection.run('INSERT INTO item VALUES ($id)', { id: 3 });
  expect(logSize()).toBeGreaterThan(0);
  await log.flush();
  expect(logSize()).toBe(0);
  log.close();
  connection.close();
  remove();
});
