import { afterAll, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import { bearer, call, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';

const postgres = await postgresForTest();

/** Makes a database without any table. */
async function emptyDatabase(): Promise<string> {
  const address = await postgres.create();
  const database = new Database({ url: address, maxConnections: 1 });
  await database.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await database.close();
  return address;
}

test('three nodes that start at once set up an empty database once', async () => {
  const address = await emptyDatabase();
  const options = { config: {}, environment: { DATABASE_URL: address } };
  const nodes = await Promise.all([1, 2, 3].map(() => startServer(options)));
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres.drop(address);
  });
  const holders = nodes.filter((node) => node.adminToken !== '');
  expect(holders).toHaveLength(1);
  expect(nodes.filter(({ firstKey }) => firstKey !== '')).toHaveLength(1);
  for (const { dataDirectory, adminToken } of nodes)
    expect(existsSync(join(dataDirectory, 'admin-token'))).toBe(adminToken !== '');
  const token = holders[0]!.adminToken;
  const firstKey = nodes.find((node) => node.firstKey !== '')!.firstKey;
  for (const { url } of nodes) {
    const { status, body } = await call(`${url}/admin/v1/accounts`, { headers: bearer(token) });
    expect({ status, data: body.data.length }).toEqual({ status: 200, data: 1 });
    expect((await call(`${url}/v1/usage`, { headers: bearer(firstKey) })).status).toBe(200);
    const list = (await call(`${url}/admin/v1/nodes`, { headers: bearer(token) })).body.data;
    expect(list.map(({ closed }: Json) => Boolean(closed))).toEqual([false, false, false]);
  }
});
