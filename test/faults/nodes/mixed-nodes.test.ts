import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { ledgerEntries, usageEntries } from '../../support/ledger-entries.ts';
import type { CreatedKey } from '../../support/start-server.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { type GatewayNode, openGatewayNodes } from './gateway-nodes.ts';

const WINDOW = 8;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const gateway = await openGatewayNodes(() => ({
  plans: { ...wideLimits, pro: { ...wideLimits.pro, requests_per_min: WINDOW } },
}));
afterAll(gateway.close);

const startShifted = (shiftMs: number) =>
  gateway.start(`shifted-${shiftMs}`, {
    preload: join(import.meta.dir, 'shift-clock.ts'),
    environment: { TOLLGATE_TEST_CLOCK_SHIFT_MS: String(shiftMs) },
  });

const ahead = await startShifted(5 * HOUR_MS);
const behind = await startShifted(-7 * HOUR_MS);
const nodes = [ahead, behind];

const ask = ({ server }: GatewayNode, { key }: CreatedKey) =>
  server.chat(key, 'test-small', { max_tokens: 10 });

async function askByTurns(key: CreatedKey, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++)
    statuses.push((await ask(nodes[index % nodes.length]!, key)).status);
  return statuses;
}

test('nodes whose clocks are hours apart share windows and cycles exactly', async () => {
  const key = await ahead.server.createKey('pro');
  expect(await askByTurns(key, WINDOW + 2)).toEqual([...Array(WINDOW).fill(200), 429, 429]);
  const refused = await ask(behind, key);
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 62);
  const entries = await usageEntries(behind.server, key.account);
  const ages = entries.map(({ at }) => Math.abs(Date.now() - Date.parse(at)));
  expect(ages).toHaveLength(WINDOW);
  expect(Math.max(...ages)).toBeLessThan(MINUTE_MS);
  const renewals = await ledgerEntries(ahead.server, key.account, 'renewal');
  expect(renewals.length).toBeLessThanOrEqual(1);
});

test('a key expires at the same time on nodes whose clocks are hours apart', async () => {
  const expires_at = new Date(Date.now() + HOUR_MS).toISOString();
  const expiring = await behind.server.createKey('payg', { expires_at });
  await ahead.server.purchase(expiring.account, 5);
  expect(await askByTurns(expiring, 4)).toEqual(Array(4).fill(200));
  expect(nodes.some(({ server }) => server.log().includes('"node-closed"'))).toBe(false);
  expect(await ahead.server.ledgerFaults()).toEqual([]);
});

/** Migrates to a later version with more columns and one more migration, which this version need not know. */
async function migrateFurther(): Promise<void> {
  const tables = await gateway.database.all(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration'`,
  );
  for (const { name } of tables)
    await gateway.database.script(`ALTER TABLE "${name}" ADD COLUMN added_later text DEFAULT 'later'`);
  await gateway.database.run(
    `INSERT INTO migration (number, name, checksum, needs) VALUES (9999, 'later', 'unknown', 0)`,
  );
}

test('a node serves while a later version migrates the database and can start afterwards', async () => {
  const key = await ahead.server.createKey('payg');
  await ahead.server.purchase(key.account, 5);
  const reads = [
    '/accounts',
    `/accounts/${key.account}`,
    `/accounts/${key.account}/keys`,
    '/nodes',
    '/audit',
  ];
  const readAll = async ({ server }: GatewayNode) =>
    Promise.all(reads.map(async (path) => (await server.admin('GET', path)).status));
  const expectService = async (node: GatewayNode) => {
    expect(await readAll(node)).toEqual(reads.map(() => 200));
    for (let times = 0; times < 6; times++) expect((await ask(node, key)).status).toBe(200);
  };
  await expectService(ahead);
  await migrateFurther();
  await expectService(ahead);
  await expectService(ahead);
  const later = await gateway.start('later');
  await expectService(later);
  expect(await usageEntries(ahead.server, key.account)).toHaveLength(24);
  expect({
    billedTwice: await gateway.billedTwice(),
    faults: await later.server.ledgerFaults(),
  }).toEqual({ billedTwice: [], faults: [] });
});
