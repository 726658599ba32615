import { afterAll, expect, test } from 'bun:test';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import { partial } from '../../../base/lib/testing/partial.ts';
import { StoreProblem } from '../../store-problem.ts';
import { sampleOrder } from '../../testing/conformance/sample-ledger.ts';
import { Database, type PostgresRow, type SqlValue } from '../database.ts';
import { insertAccount } from '../testing/insert-account.ts';
import { register } from '../testing/ledger-for-test.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { sampleFigures, sampleLimits } from '../testing/sample-limits.ts';
import { PostgresGate } from './postgres-gate.ts';

const server = await postgresForTest();
const url = await server.create();
const database = new Database({ url, maxConnections: 3 });
const drop = async () => {
  await database.close();
  await server.drop(url);
};
afterAll(() => drop());

type Calls = (text: string, run: () => Promise<PostgresRow | undefined>) => Promise<PostgresRow | undefined>;

/** Makes a gate whose calls pass through `calls`. */
async function gateOver(calls: Calls, admitTimeoutMs = 2_000) {
  const id = await register(database);
  const first = (text: string, values?: readonly SqlValue[]) =>
    calls(text, () => database.first(text, values));
  const between = partial<Database>({ first, run: async () => 0 });
  const identity = { id: () => id, closed: () => {} };
  const gate = new PostgresGate({ database: between, identity, admitTimeoutMs });
  await gate.checkEra();
  return gate;
}

async function takingOf(accountId: string) {
  await insertAccount(database, accountId);
  const figures = sampleFigures({ requestsPer5Minutes: 100 });
  return { limits: sampleLimits(accountId, { figures }), versions: { account: 1, key: 1 } };
}

const stateOf = async (accountId: string) =>
  await database.first('SELECT under_way, total FROM limit_state WHERE scope = $1', [`a:${accountId}`]);

test('a call whose answer is lost is sent again and counts once', async () => {
  let lost = 0;
  const gate = await gateOver(async (text, run) => {
    const row = await run();
    if (!text.includes('gate(') || lost >= 2) return row;
    lost += 1;
    throw new StoreProblem('The connection broke', 'check it');
  });
  const taking = await takingOf('acct_lost');
  expect(await gate.take(taking)).toHaveProperty('release');
  expect({ lost, state: await stateOf('acct_lost') }).toMatchObject({
    lost: 2,
    state: { under_way: 1, total: [1, 10, 1, 0] },
  });
  await gate.close();
});

test('an admission that the database decides after its deadline is given back', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let held = 0;
  const gate = await gateOver(async (text, run) => {
    const row = await run();
    if (text.includes('gate(') && held++ === 0) await released;
    return row;
  }, 150);
  const taking = await takingOf('acct_late');
  await expect(gate.take(taking)).rejects.toBeInstanceOf(Unavailable);
  expect(await stateOf('acct_late')).toMatchObject({ under_way: 1, total: [1, 10, 1, 0] });
  release();
  while ((await stateOf('acct_late'))?.under_way !== 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await stateOf('acct_late')).toMatchObject({ under_way: 0, total: [0, 0, 0, 0] });
  await gate.close();
});

test('requests that arrive during a call leave together in the next one', async () => {
  let calls = 0;
  const gate = await gateOver((text, run) => {
    if (text.includes('gate(')) calls += 1;
    return run();
  });
  const taking = await takingOf('acct_group');
  await gate.take(taking);
  calls = 0;
  const first = gate.take(taking);
  while (calls === 0) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, ...Array.from({ length: 40 }, () => gate.take(taking))]);
  expect(calls).toBe(2);
  await gate.close();
});

test('requests that arrive in one turn of the event loop leave in one call', async () => {
  let calls = 0;
  const gate = await gateOver((text, run) => {
    if (text.includes('gate(')) calls += 1;
    return run();
  });
  const taking = await takingOf('acct_turn');
  await gate.take(taking);
  calls = 0;
  const first = gate.take(taking);
  await Promise.resolve();
  await Promise.all([first, ...Array.from({ length: 40 }, () => gate.take(taking))]);
  expect(calls).toBe(1);
  await gate.close();
});

test('an operation that the database refuses does not affect the others of its call', async () => {
  const gate = await gateOver((_, run) => run());
  const good = await takingOf('acct_good');
  const bad = await takingOf('acct_bad');
  const broken = { ...bad, limits: { ...bad.limits, tokens: 0.5 } };
  const answers = await Promise.allSettled([gate.take(good), gate.take(broken), gate.take(good)]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await stateOf('acct_good')).toMatchObject({ under_way: 2 });
  await gate.close();
});

test('the first call of a node keeps the holds that the node has adopted', async () => {
  const id = await register(database);
  const gate = new PostgresGate({ database, identity: { id: () => id, closed: () => {} } });
  await gate.checkEra();
  const order = sampleOrder();
  gate.adopt(order, 5, id);
  await gate.take(await takingOf('acct_adopts'));
  expect([...gate.holds.keys()]).toEqual([order.requestId]);
  await gate.close();
});
