import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BudgetGateway, openBudgetGateway } from '../support/budget-gateway.ts';
import type { Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const MONTH_S = 32 * 86_400;
const directory = mkdtempSync(join(tmpdir(), 'tollgate-budgets-'));
const upstream = startRecordingUpstream();
const start = () =>
  startServer({
    config: { ...sampleConfig(upstream.url), plans: wideLimits },
    dataDirectory: directory,
    environment: { TOLLGATE_TEST_CLOCK: '1' },
  });
let server: TestServer = await start();
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(directory, { recursive: true, force: true });
});
const gateway: BudgetGateway = await openBudgetGateway(server, upstream);
const { usd, ask, key, account } = gateway;
const readBudget = async (id: string): Promise<Json> => (await server.admin('GET', `/budgets/${id}`)).body;
const faults = (): Promise<Json[]> => server.ledgerFaults();
const createBudget = async (fields: Json): Promise<Json> =>
  (await server.admin('POST', '/budgets', { account_id: account, ...fields })).body;
const chargedUsd = async (): Promise<number> =>
  (await usageEntries(server, account)).reduce((sum, { microcredits }) => sum + microcredits, 0) / 5e8;

const ROUNDS = 3;
const ASKED_EACH = 20;
/** More than the rounds can spend. */
const LIMIT = 70;

test('after kill -9 a budget has exactly what the ledger has without a hold', async () => {
  const budgets = [
    await createBudget({ scope: 'organization', window: 'month', limit_usd: usd(LIMIT) }),
    await createBudget({ scope: 'end_user', window: 'week', kind: 'sliding', limit_usd: usd(LIMIT) }),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    const { spent_usd: before } = await readBudget(budgets[0]!.id);
    // Some requests end at about the time of the kill.
    const answers = Array.from({ length: ASKED_EACH }, () => ask(server).catch(() => undefined));
    await waitFor(async () => (await readBudget(budgets[0]!.id)).spent_usd > before);
    server.signal('SIGKILL');
    await Promise.all(answers);
    await server.stop().catch(() => {});
    server = await start();
    const spent = await chargedUsd();
    for (const { id } of budgets) {
      const { spent_usd, held_usd } = await readBudget(id);
      expect({ held_usd, spent_usd }).toEqual({ held_usd: 0, spent_usd: expect.closeTo(spent, 9) });
    }
    expect(await faults()).toEqual([]);
  }
  const before = (await readBudget(budgets[0]!.id)).spent_usd;
  const statuses = await Promise.all(Array.from({ length: LIMIT }, async () => (await ask(server)).status));
  const served = statuses.filter((status) => status === 200).length;
  expect(before + usd(served)).toBeCloseTo(usd(LIMIT), 9);
  expect((await readBudget(budgets[0]!.id)).spent_usd).toBeCloseTo(usd(LIMIT), 9);
  for (const { id } of budgets) await server.admin('DELETE', `/budgets/${id}`);
});

test('a budget counts archived charges of its window even after a repair', async () => {
  const advance = async (toMs: number): Promise<string> => {
    const { now } = (await server.admin('POST', '/test/clock', { advance_s: 1 })).body;
    const advance_s = (toMs - Date.parse(now)) / 1_000;
    return (await server.admin('POST', '/test/clock', { advance_s })).body.now;
  };
  // The charges of the month before lie in no window. A charge late in a month lies in the window of 30 days.
  const today = new Date();
  const year = today.getUTCFullYear();
  const month = today.getUTCMonth();
  await advance(Date.UTC(year, month + 2, 20));
  await ask(server);
  const later = await advance(Date.UTC(year, month + 3, 2));
  const moved = await server.admin('POST', '/ledger/archive', { before: later.slice(0, 7) });
  expect(moved.body.entries).toBeGreaterThan(0);
  const budget = await createBudget({
    scope: 'key',
    target: key.id,
    window: 'month',
    kind: 'sliding',
    limit_usd: 1_000,
  });
  expect(budget.spent_usd).toBeCloseTo(usd(1), 9);
  await ask(server);
  expect(await faults()).toEqual([]);
  await server.admin('POST', `/accounts/${account}/ledger/repair`, {});
  expect((await readBudget(budget.id)).spent_usd).toBeCloseTo(usd(2), 9);
  await server.admin('POST', '/test/clock', { advance_s: MONTH_S });
  expect(await readBudget(budget.id)).toMatchObject({ spent_usd: 0, resets_at: null });
  expect(await faults()).toEqual([]);
});
