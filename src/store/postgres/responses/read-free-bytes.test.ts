import { afterAll, expect, test } from 'bun:test';
import { Database } from '../database.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { readFreeBytes } from './read-free-bytes.ts';

const MAX_BYTES = 1024 * 1024 * 1024;

const database = new Database({ url: await (await postgresForTest()).create(), maxConnections: 1 });
afterAll(() => database.close());

const free = async () => (await readFreeBytes(database, { maxBytes: MAX_BYTES }))!.onDisk;

test('the space of a database without a largest size is unknown', async () => {
  expect(await readFreeBytes(database, { maxBytes: null })).toBeUndefined();
  expect(await readFreeBytes(database, { maxBytes: 1 })).toEqual({ onDisk: 0, inside: 0 });
});

test('the space shrinks by stored texts until their removal', async () => {
  const empty = await free();
  expect(empty).toBeWithin(MAX_BYTES / 2, MAX_BYTES);
  await database.run(`
    INSERT INTO turn_part (turn_id, part, is_output, items, text)
    SELECT 'turn', number, false, 0, repeat('x', 100000) FROM generate_series(1, 100) AS number`);
  expect(await free()).toBeLessThan(empty - 10_000_000);
  await database.run('VACUUM turn_part');
  expect(await free()).toBeLessThan(empty - 9_000_000);
  // A row at the end keeps the file from shrinking.
  await database.run('DELETE FROM turn_part WHERE part < 100');
  await database.run('VACUUM turn_part');
  expect(await free()).toBeGreaterThan(empty - 2_000_000);
});
