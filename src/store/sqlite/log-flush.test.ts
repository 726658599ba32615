import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { LogFlush } from './log-flush.ts';
import { openTestConnection } from './testing/open-test-connection.ts';

test('moves the content of a log that cannot be flushed into the database', async () => {
  const { path, connection, remove } = openTestConnection();
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
