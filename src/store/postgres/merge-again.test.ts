import { expect, test } from 'bun:test';
import { Database } from './database.ts';
import { postgresForTest } from './testing/postgres-for-test.ts';

test('days that an earlier version writes late are merged again in each kind of merged rows', async () => {
  const url = await (await postgresForTest()).create();
  const database = new Database({ url, maxConnections: 1 });
  await database.script('UPDATE traffic_merge SET merged_to = 800');
  const marks = async () =>
    (await database.all('SELECT merged_to FROM traffic_merge ORDER BY cut')).map((row) =>
      Number(row.merged_to),
    );
  const [whole, ...others] = await marks();
  // An earlier version knows only these two.
  await database.script('UPDATE traffic_merge SET merged_to = 720 WHERE cut = 1 AND merged_to >= 720');
  expect(await marks()).toEqual([whole!, ...others.map(() => 720)]);
  await database.script('UPDATE traffic_merge SET merged_to = 728 WHERE cut = 1');
  expect(await marks()).toEqual([800, 728, 720, 720, 720, 720, 720]);
  await database.close();
});
