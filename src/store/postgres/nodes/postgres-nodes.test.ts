import { afterAll, expect, test } from 'bun:test';
import { Database } from '../database.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { PostgresNodes } from './postgres-nodes.ts';

const database = new Database({ url: await (await postgresForTest()).create() });
afterAll(() => database.close());

test('lists nodes with their shares until an hour after their close', async () => {
  for (const id of ['node_a', 'node_b', 'node_c'])
    await database.run(`SELECT register_node($1, '1', 'hash', 'host', 2)`, [id]);
  await database.run(`SELECT sync_shares('node_a', '[["openai", 10, 1, 0, 0, 0]]')`);
  await database.run(`UPDATE node SET closed_at = now_ms() - 1000 WHERE id = 'node_b'`);
  await database.run(`UPDATE node SET closed_at = now_ms() - 3700000 WHERE id = 'node_c'`);
  const listed = await new PostgresNodes(database, { id: () => 'node_a', configHash: () => 'hash' }).list();
  expect(listed.map(({ id, shares, closedAt }) => [id, shares, closedAt !== null])).toEqual([
    ['node_a', { openai: 10 }, false],
    ['node_b', {}, true],
  ]);
  expect(listed[0]).toMatchObject({
    worker: 2,
    host: 'host',
    version: '1',
    commitDate: null,
    openRequests: 0,
  });
});
