import { afterAll, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../../base/lib/units.ts';
import { sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { Database } from '../database.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { sumPostgresUsage } from './sum-postgres-usage.ts';
import { openTransaction } from './testing/open-transaction.ts';
import { sampleUsage, sampleUsages } from './testing/sample-usage.ts';
import { writeEntries, writeEntry } from './testing/write-entries.ts';
import { UsageRollUp } from './usage-roll-up.ts';

let database: Database;
let rollUp: UsageRollUp;
const opened: Database[] = [];

const server = await postgresForTest();
beforeEach(async () => {
  database = new Database({ url: await server.create(), maxConnections: 3 });
  opened.push(database);
  rollUp = new UsageRollUp(database);
});
afterAll(() => Promise.all(opened.map((each) => each.close())));

const span = { accountId: 'acct_1', from: sampleTime - 30 * DAY_MS, to: sampleTime + 30 * DAY_MS };
const requests = async () =>
  (await sumPostgresUsage(database, { ...span, by: 'model' })).reduce((sum, row) => sum + row.requests, 0);
const rolledUp = async () => {
  const row = await database.first('SELECT coalesce(sum(requests), 0)::bigint AS requests FROM usage_hour');
  return Number(row?.requests);
};
const write = (count: number) => writeEntries(database, sampleUsages(count));

test('sums of usage have every committed entry, before and after it is rolled up', async () => {
  await write(3);
  expect(await requests()).toBe(3);
  expect(await rolledUp()).toBe(0);
  await rollUp.catchUp();
  expect(await requests()).toBe(3);
  expect(await rolledUp()).toBe(3);
  await write(2);
  expect(await requests()).toBe(5);
  expect(await rolledUp()).toBe(3);
  for (let round = 0; round < 2; round++) await rollUp.catchUp();
  expect(await requests()).toBe(5);
  expect(await rolledUp()).toBe(5);
  expect(await sumPostgresUsage(database, { ...span, by: 'day' })).toEqual([
    {
      group: '2026-01-31',
      requests: 5,
      inputTokens: 35,
      cachedInputTokens: 10,
      outputTokens: 15,
      microcredits: 50,
    },
  ]);
});

test('an entry that commits after newer ones were rolled up is counted once', async () => {
  await using late = await openTransaction(database, (queries) =>
    writeEntry(queries, sampleUsage({ accountId: 'acct_2', keyId: 'key_2' })),
  );
  await write(2);
  await rollUp.runAll();
  await late.commit();
  await write(1);
  await rollUp.catchUp();
  const sums = await database.all('SELECT account_id, requests FROM usage_day ORDER BY 1');
  expect(sums.map(({ account_id, requests }) => [account_id, requests])).toEqual([
    ['acct_1', 3],
    ['acct_2', 1],
  ]);
});

test('a long backlog is rolled up in parts, even if one transaction wrote more than a part', async () => {
  await write(7);
  for (let number = 0; number < 5; number++) await write(1);
  await rollUp.runAll(2);
  await rollUp.catchUp();
  expect(await rolledUp()).toBe(12);
});

test('nodes that roll up together count each entry once', async () => {
  for (let round = 0; round < 5; round++) {
    await write(3);
    await Promise.all([1, 2, 3].map(() => new UsageRollUp(database).runAll(2)));
  }
  await rollUp.catchUp();
  expect(await rolledUp()).toBe(15);
});

test('a roll-up that fails leaves the sums and the watermark as they were', async () => {
  await write(3);
  await database.script("ALTER TABLE usage_watermark ADD CONSTRAINT stays CHECK (xid = '0')");
  await expect(rollUp.catchUp()).rejects.toThrow('stays');
  expect(await rolledUp()).toBe(0);
  expect(await requests()).toBe(3);
  await database.script('ALTER TABLE usage_watermark DROP CONSTRAINT stays');
  await rollUp.catchUp();
  expect(await rolledUp()).toBe(3);
  expect(await requests()).toBe(3);
});

test('a dump that is restored into a younger cluster counts each entry once', async () => {
  await write(4);
  await rollUp.catchUp();
  await write(3);
  // A cluster that has used a million transactions wrote these rows.
  await database.run(`UPDATE entry SET xid = (xid::text::bigint + 1000000)::text::xid8`);
  await database.run(
    `UPDATE usage_watermark SET xid = (xid::text::bigint + 1000000)::text::xid8, seal = DEFAULT`,
  );
  await rollUp.start();
  await write(2);
  expect(await requests()).toBe(9);
  await rollUp.runAll(2);
  await rollUp.catchUp();
  expect(await requests()).toBe(9);
  expect(await rolledUp()).toBe(9);
  const row = await database.first(
    'SELECT is_tidy, (SELECT max(xid) FROM entry) < xid AS is_lower FROM usage_watermark',
  );
  expect(row).toMatchObject({ is_tidy: true, is_lower: true });
  await write(1);
  await rollUp.catchUp();
  await rollUp.stop();
  expect(await requests()).toBe(10);
  expect(await rolledUp()).toBe(10);
});

test('an entry whose text is damaged stops no roll-up', async () => {
  await write(2);
  await database.run(`UPDATE entry SET text = 'nothing' WHERE sequence = 1`);
  await rollUp.catchUp();
  expect(await rolledUp()).toBe(1);
});

test('roll-ups and sums of a large account read only the entries beyond the watermark', async () => {
  await database.run(`
    INSERT INTO entry (id, account_id, sequence, at, node, text, hash, xid)
    SELECT 'ent_' || n, 'acct_1', n, n, '', '[]', '', n::text::xid8 FROM generate_series(1, 20000) n`);
  await database.script('ANALYZE entry');
  const planOf = async (sql: string) => JSON.stringify(await database.all(`EXPLAIN ${sql}`));
  const page = `SELECT xid FROM entry WHERE xid >= '19990' AND xid < '9999999' AND number > 0 ORDER BY xid OFFSET 9 LIMIT 1`;
  expect(await planOf(page)).toContain('entry_by_xid');
  const sums = `SELECT text FROM entry WHERE account_id = 'acct_1' AND xid >= '19990'::xid8 AND number > 0`;
  expect(await planOf(sums)).toContain('entry_by_xid');
  const next = `SELECT min(account_id) FROM entry WHERE account_id > 'acct_1'`;
  expect(await planOf(next)).toContain('entry_account_id_sequence_key');
});
