import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTest } from '../../src/store/postgres/testing/postgres-for-test.ts';
import type { Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

setDefaultTimeout(60_000);
const directory = mkdtempSync(join(tmpdir(), 'tollgate-move-'));
const dataDirectory = join(directory, 'data');
const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const postgres = await postgresForTest();
const address = await postgres.create();
afterAll(async () => {
  await upstream.stop();
  await postgres.drop(address);
  rmSync(directory, { recursive: true });
});

const move = () => runProgram(['store', 'migrate', '--from', dataDirectory, '--to', address, '--json']);
const ledgerOf = async (server: TestServer, account: string): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data;

test('store migrate moves a directory that a server has used, and Postgres serves it with the same keys', async () => {
  const before = await startServer({ config, dataDirectory });
  const key = await before.createKey('payg');
  await before.purchase(key.account, 5);
  expect((await before.chat(key.key, 'test-plain')).status).toBe(200);
  const entries = await ledgerOf(before, key.account);
  const held = await move();
  expect(held).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is running on the data directory'),
  });
  await before.stop();

  const moved = await move();
  expect(moved.code).toBe(0);
  expect(JSON.parse(moved.stdout)).toMatchObject({ was_complete: false, faults: 0 });
  const again = await move();
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ was_complete: true });
  expect(moved.stdout + moved.stderr).not.toContain(`:${new URL(address).password}@`);

  const after = await startServer({
    config,
    dataDirectory: join(directory, 'node'),
    environment: { DATABASE_URL: address, TOLLGATE_ADMIN_TOKEN: before.adminToken },
  });
  const headers = { authorization: `Bearer ${before.adminToken}` };
  const { body } = await after.call(`/admin/v1/accounts/${key.account}/ledger?limit=1000`, { headers });
  expect(body.data).toEqual(entries);
  expect((await after.chat(key.key, 'test-plain')).status).toBe(200);
  expect((await after.call('/admin/v1/ledger/verify', { headers })).body.faults).toEqual([]);
  await after.stop();
});
