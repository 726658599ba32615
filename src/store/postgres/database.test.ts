import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Database } from './database.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

let database: Database;

beforeAll(async () => {
  database = new Database({ url: await (await postgresForTest()).create(), most: 2 });
});
afterAll(() => database.close());

test('reads amounts as numbers and passes lists and JSON', async () => {
  const row = await database.first(
    `SELECT 5::bigint AS amount, $1::text[] AS names, $2::text::jsonb ->> 'a' AS a`,
    [['x', 'y'], '{"a":1}'],
  );
  expect(row).toMatchObject({ amount: 5, names: ['x', 'y'], a: '1' });
});

test('rolls a failed transaction back', async () => {
  await database.script('CREATE TABLE sample (n integer)');
  const failed = database.transaction(async (queries) => {
    await queries.run('INSERT INTO sample VALUES (1)');
    throw new Error('no');
  });
  expect(failed).rejects.toThrow('no');
  await failed.catch(() => {});
  expect(await database.all('SELECT n FROM sample')).toEqual([]);
});
