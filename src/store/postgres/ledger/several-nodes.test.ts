import { afterAll, expect, test } from 'bun:test';
import { NodeClosed } from '../../../base/errors/node-closed.ts';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import { usageEntryId } from '../../../money/ledger/entry-id.ts';
import type { Hold } from '../../../money/ledger/hold.ts';
import type { HoldCheckpoint, Posting } from '../../../money/ledger/ledger-store.ts';
import { budgetAudit, sampleBudget } from '../../testing/conformance/sample-budget.ts';
import {
  heldBy,
  sampleEntry,
  sampleOrder,
  samplePeriod,
  samplePosting,
  sampleTime,
  shortageOf,
} from '../../testing/conformance/sample-ledger.ts';
import { PostgresBudgets } from '../budgets/postgres-budgets.ts';
import { insertAccount } from '../testing/insert-account.ts';
import { ledgerFaults, type NodeForTest, openNodes, register } from '../testing/ledger-for-test.ts';
import { sampleFigures, sampleLimits } from '../testing/sample-limits.ts';

let accounts = 0;

const { database, nodes, close } = await openNodes(4);
afterAll(() => close());

const worst = { least: 100, most: 400 };
const newAccount = (): string => `acct_several_${++accounts}`;
const faults = (accountId: string) => ledgerFaults(database, accountId);
const used = async (accountId: string) =>
  (await nodes[0]!.ledger.balances(accountId, samplePeriod())).usedMicrocredits;
const purchased = async (accountId: string) =>
  (await nodes[0]!.ledger.balances(accountId, samplePeriod())).purchasedMicrocredits;
const kinds = async (accountId: string) => {
  const page = await nodes[0]!.ledger.listEntries({ accountId, limit: 20 });
  return page!.items.map(({ kind, microcredits }) => [kind, microcredits]).reverse();
};
const plain = (posting: Posting): Posting => JSON.parse(JSON.stringify(posting));
const checkpointOf = (hold: Hold, cost: number): HoldCheckpoint => ({
  posting: samplePosting(hold, cost),
  produced: cost > 0,
});

/** Closes the node as another node does, and registers it again. */
async function closeNode(node: NodeForTest): Promise<unknown> {
  const answer = await database.first('SELECT close_node($1) AS answer', [node.identity.current]);
  return JSON.parse(String(answer!.answer));
}
const rejoin = async (node: NodeForTest): Promise<void> => {
  node.identity.current = await register(database);
};

test('a posting that two nodes send is charged once', async () => {
  const accountId = newAccount();
  const hold = await heldBy(nodes[0]!.ledger, { accountId });
  const posting = samplePosting(hold, 300);
  await Promise.all([
    nodes[0]!.ledger.post(posting),
    ...nodes.slice(1).map(({ ledger }) => ledger.replay([plain(posting)])),
  ]);
  expect(await used(accountId)).toBe(300);
  expect(await kinds(accountId)).toEqual([['usage', 300]]);
  expect(await faults(accountId)).toEqual([]);
});

test('an item is held on another node after the hold of its earlier attempt has ended', async () => {
  const node = nodes[0]!;
  const other = nodes[1]!;
  const accountId = newAccount();
  await other.ledger.give(sampleEntry({ accountId, microcredits: 1_000 }));
  const order = sampleOrder({ accountId, pays: 'purchased', worst });
  const earlier = await heldBy(node.ledger, order);
  const [again, beside] = await Promise.allSettled([
    other.ledger.hold(order),
    other.ledger.hold(sampleOrder({ accountId, pays: 'purchased', worst })),
  ]);
  expect({ again: again.status, beside: beside.status }).toEqual({ again: 'rejected', beside: 'fulfilled' });
  expect((again as PromiseRejectedResult).reason).toBeInstanceOf(Unavailable);
  await node.ledger.void(earlier);
  await other.ledger.post(samplePosting(await heldBy(other.ledger, order), 300));
  expect(await purchased(accountId)).toBe(700);
  expect(await faults(accountId)).toEqual([]);
});

test('closing a node bills its output so far, voids its other holds and returns its places', async () => {
  const node = nodes[0]!;
  const other = nodes[1]!;
  const accountId = newAccount();
  await other.ledger.give(sampleEntry({ accountId, microcredits: 1_000 }));
  const order = { accountId, pays: 'purchased', worst } as const;
  const first = await heldBy(node.ledger, order);
  const second = await heldBy(node.ledger, order);
  const limits = sampleLimits(accountId, { figures: sampleFigures({ concurrent: 1 }) });
  await insertAccount(database, accountId);
  const taking = { limits, versions: { account: 1, key: 1 } };
  expect(await node.gate.take(taking)).toHaveProperty('release');
  expect(await other.gate.take(taking)).toHaveProperty('code', 'concurrency_limit_exceeded');
  await node.ledger.checkpoint([checkpointOf(first, 250)]);
  expect(await closeNode(node)).toEqual({ billed: 1, voided: 1 });
  expect(await closeNode(node)).toEqual({ billed: 0, voided: 0 });
  expect(await purchased(accountId)).toBe(750);
  expect(await other.gate.take(taking)).toHaveProperty('release');
  // The closed node may not settle what it has open. The postings in its spool count.
  const settled = nodes[0]!.ledger.post(samplePosting(second, 300));
  await expect(settled).rejects.toBeInstanceOf(NodeClosed);
  expect(node.identity.closings).toContain(node.identity.current);
  await rejoin(node);
  await expect(node.ledger.post(samplePosting(second, 300))).rejects.toBeInstanceOf(NodeClosed);
  expect(shortageOf(await node.ledger.hold(sampleOrder(order)))).toBeUndefined();
  expect(await faults(accountId)).toEqual([]);
});

test('a late posting counts once: in full after a void, as the difference after an estimate', async () => {
  const node = nodes[0]!;
  const accountId = newAccount();
  const holds = [1, 2, 3].map(() => heldBy(node.ledger, { accountId }));
  const [voided, low, high] = await Promise.all(holds);
  await node.ledger.checkpoint([checkpointOf(low!, 100), checkpointOf(high!, 90)]);
  await closeNode(node);
  const spooled = [samplePosting(voided!, 70), samplePosting(low!, 150), samplePosting(high!, 40)].map(plain);
  await rejoin(node);
  for (let times = 0; times < 2; times++)
    await Promise.all(nodes.slice(0, 2).map(({ ledger }) => ledger.replay(spooled)));
  const amounts = (await kinds(accountId)).toSorted();
  expect(amounts).toEqual([
    ['adjustment', -50],
    ['adjustment', 50],
    ['usage', 100],
    ['usage', 70],
    ['usage', 90],
  ]);
  const late = await node.ledger.findEntry(usageEntryId(low!.order.requestId).replace('ent_', 'ent_late_'));
  expect(late?.reason).toContain(low!.order.requestId);
  expect(await faults(accountId)).toEqual([]);
});

test('the difference to an estimate charges no more than the budgets allow', async () => {
  const node = nodes[0]!;
  const accountId = newAccount();
  await node.ledger.give(sampleEntry({ accountId, microcredits: 1_000 }));
  const hold = await heldBy(node.ledger, { accountId, pays: 'purchased', isBudgeted: true, worst });
  await node.ledger.checkpoint([checkpointOf(hold, 250)]);
  await closeNode(node);
  await rejoin(node);
  await node.ledger.replay([plain(samplePosting(hold, 700))]);
  expect((await kinds(accountId)).slice(1)).toEqual([
    ['usage', 250],
    ['adjustment', -150],
  ]);
  expect(await faults(accountId)).toEqual([]);
});

/** Bills 100 for each of the requests as a lost node's estimate, and posts their costs after `meanwhile`. */
async function postLate(
  order: Parameters<typeof heldBy>[1],
  costs: readonly number[],
  meanwhile?: () => Promise<void>,
) {
  const node = nodes[0]!;
  const holds = await Promise.all(costs.map(() => heldBy(node.ledger, order)));
  await node.ledger.checkpoint(holds.map((hold) => checkpointOf(hold, 100)));
  await closeNode(node);
  await rejoin(node);
  await meanwhile?.();
  for (const [index, hold] of holds.entries())
    await node.ledger.replay([plain(samplePosting(hold, costs[index]!))]);
}

test('differences to estimates of a key together stay within its cap, and count against it', async () => {
  const { ledger } = nodes[0]!;
  for (const pays of ['purchased', 'monthly'] as const) {
    const accountId = newAccount();
    const keyId = `key_${accountId}`;
    await ledger.give(sampleEntry({ accountId, microcredits: 10_000 }));
    const capped = { accountId, keyId, keyCapMicrocredits: 500, pays, worst: { least: 100, most: 150 } };
    await postLate(capped, [300, 300, 300]);
    const spent = () => ledger.keySpent(accountId, { keyId, at: sampleTime });
    expect([await spent(), await faults(accountId)]).toEqual([500, []]);
    expect(shortageOf(await ledger.hold(sampleOrder(capped)))).toBe('key-cap-reached');
    const isPurchased = pays === 'purchased';
    expect(await purchased(accountId)).toBe(isPurchased ? 9_500 : 10_000);
    if (isPurchased) expect(await used(accountId)).toBe(0);
  }
});

test('differences to estimates count for budgets, and stay within them', async () => {
  const { ledger } = nodes[0]!;
  const accountId = newAccount();
  await insertAccount(database, accountId);
  await ledger.give(sampleEntry({ accountId, microcredits: 10_000 }));
  const budgets = new PostgresBudgets({ database, isQuarantined: () => false });
  const budget = sampleBudget({ accountId, limitMicrocredits: 500 });
  await budgets.createBudget(budget, budgetAudit, 10);
  const labels = { personId: null, endUser: 'eva', tags: [] };
  const keyId = `key_${accountId}`;
  const order = {
    accountId,
    keyId,
    pays: 'purchased',
    isBudgeted: true,
    labels,
    worst: { least: 100, most: 400 },
  };
  await postLate(order as Parameters<typeof heldBy>[1], [150]);
  await postLate(order as Parameters<typeof heldBy>[1], [400], async () => {
    const other = { ...order, worst: { least: 200, most: 200 } } as Parameters<typeof heldBy>[1];
    await ledger.post(samplePosting(await heldBy(ledger, other), 200));
  });
  const { items } = await budgets.listSpending(budget, { now: sampleTime, limit: 10 });
  expect(items).toMatchObject([{ usedMicrocredits: 500, requests: 3 }]);
  expect(await purchased(accountId)).toBe(9_500);
  expect((await ledger.verifyAccount(accountId)).faults).toEqual([]);
});

test('a difference that gives credit back frees the cap of the key', async () => {
  const { ledger } = nodes[0]!;
  const accountId = newAccount();
  const keyId = `key_${accountId}`;
  await ledger.give(sampleEntry({ accountId, microcredits: 1_000 }));
  const capped = {
    accountId,
    keyId,
    keyCapMicrocredits: 100,
    pays: 'purchased',
    worst: { least: 1, most: 90 },
  };
  await postLate(capped as Parameters<typeof heldBy>[1], [0]);
  expect(await ledger.keySpent(accountId, { keyId, at: sampleTime })).toBe(0);
  expect([await purchased(accountId), await faults(accountId)]).toEqual([1_000, []]);
});

test('a settlement and the end of its node at the same moment make one charge', async () => {
  const node = nodes[2]!;
  for (let round = 0; round < 5; round++) {
    const accountId = newAccount();
    await nodes[0]!.ledger.give(sampleEntry({ accountId, microcredits: 10_000 }));
    const order = { accountId, pays: 'purchased', worst } as const;
    const holds = await Promise.all(Array.from({ length: 8 }, () => heldBy(node.ledger, order)));
    await node.ledger.checkpoint(holds.map((hold) => checkpointOf(hold, 60)));
    const settled = holds.map((hold) =>
      node.ledger.post(samplePosting(hold, 100)).then(
        () => 100,
        () => 60,
      ),
    );
    await closeNode(node);
    const charges = await Promise.all(settled);
    const total = charges.reduce((sum, charge) => sum + charge, 0);
    expect(await purchased(accountId)).toBe(10_000 - total);
    expect(await faults(accountId)).toEqual([]);
    await rejoin(node);
  }
});

test('holds, places and windows are written back after Postgres has lost them', async () => {
  const accountId = newAccount();
  await insertAccount(database, accountId);
  await nodes[0]!.ledger.give(sampleEntry({ accountId, microcredits: 700 }));
  const budgets = new PostgresBudgets({ database, isQuarantined: () => false });
  await budgets.createBudget(sampleBudget({ accountId, scope: 'end_user' }), budgetAudit, 10);
  const figures = sampleFigures({ requestsPer5Minutes: 9, concurrent: 5 });
  const limits = sampleLimits(accountId, { figures });
  const taking = { limits, versions: { account: 2, key: 1 } };
  for (const node of nodes) expect(await node.gate.take(taking)).toHaveProperty('release');
  const order = { accountId, pays: 'purchased', worst, isBudgeted: true } as const;
  const of = (endUser: string) => ({ ...order, labels: { personId: null, endUser, tags: [] } });
  const kept = await heldBy(nodes[0]!.ledger, of('kept'));
  const lost = await heldBy(nodes[1]!.ledger, of('lost'));
  const budgetHolds = () =>
    database.all('SELECT target, held FROM budget_spend WHERE account_id = $1 ORDER BY target', [accountId]);
  const bothHeld = [
    { target: 'kept', held: 400 },
    { target: 'lost', held: 300 },
  ];
  expect(await budgetHolds()).toMatchObject(bothHeld);
  // What a crash does: unlogged tables are empty, and the latest holds may be missing.
  await database.script(
    `TRUNCATE limit_state, era, era_node, gate_call;
     DELETE FROM open_hold WHERE request_id = '${lost.order.requestId}';
     DELETE FROM budget_spend WHERE target = 'lost';
     UPDATE bucket SET held = 400 WHERE account_id = '${accountId}'`,
  );
  const restored = nodes.slice(1).map((node) => node.gate.checkEra());
  const answer = nodes[0]!.gate.take(taking);
  await Promise.all(restored);
  expect(await answer).toHaveProperty('release');
  expect(await nodes[1]!.gate.take(taking)).toHaveProperty('code', 'concurrency_limit_exceeded');
  const state = await database.first('SELECT under_way, total FROM limit_state WHERE scope = $1', [
    `a:${accountId}`,
  ]);
  expect(state).toMatchObject({ under_way: 5, total: [5, 50, 5, 0] });
  expect(await faults(accountId)).toEqual([]);
  expect(await budgetHolds()).toMatchObject(bothHeld);
  expect(shortageOf(await nodes[2]!.ledger.hold(sampleOrder(order)))).toBe('purchased-too-little');
  await nodes[0]!.ledger.post(samplePosting(kept, 400));
  await nodes[1]!.ledger.post(samplePosting(lost, 300));
  expect(await purchased(accountId)).toBe(0);
  expect(await faults(accountId)).toEqual([]);
  expect((await budgetHolds()).map(({ held }) => held)).toEqual([0, 0]);
});

test('one other node reclaims the hold of an item at a provider whose node has ended', async () => {
  const node = nodes[3]!;
  const other = nodes[1]!;
  const accountId = newAccount();
  const capped = { accountId, keyId: `key_${accountId}`, keyCapMicrocredits: 1_000 };
  const holds = await Promise.all(
    [1, 2].map(() => heldBy(node.ledger, { ...capped, worst: { least: 300, most: 300 } })),
  );
  await database.run(
    "INSERT INTO batch_item (batch, number, custom_id, request_id, submission, state) VALUES (7, 0, 'a', 'ra', 1, 'queued'), (7, 1, 'b', 'rb', 1, 'running')",
  );
  const away = (number: number) => ({ batch: 7, number });
  await node.ledger.checkpoint(holds.map((hold, index) => ({ ...checkpointOf(hold, 0), away: away(index) })));
  expect(await closeNode(node)).toEqual({ billed: 0, voided: 0 });
  await rejoin(node);
  const { requestId } = holds[0]!.order;
  const claims = await Promise.all([1, 2, 0].map((index) => nodes[index]!.ledger.reclaim(requestId)));
  const [claimed] = claims.filter((claim) => claim !== undefined);
  expect(claims.filter((claim) => claim === undefined)).toHaveLength(2);
  const owner = nodes[[1, 2, 0][claims.indexOf(claimed)]!]!;
  await owner.ledger.post(samplePosting(claimed!.hold, 300));
  expect(await other.ledger.keySpent(accountId, { keyId: capped.keyId, at: sampleTime })).toBe(300);
  await other.ledger.voidUnclaimed(7);
  expect(await other.ledger.reclaim(holds[1]!.order.requestId)).toBeUndefined();
  const rest = await heldBy(other.ledger, { ...capped, worst: { least: 700, most: 700 } });
  expect(rest.microcredits).toBe(700);
  expect(await faults(accountId)).toEqual([]);
});

test('a random load of four nodes on shared accounts leaves every sum right', async () => {
  const ids = Array.from({ length: 6 }, newAccount);
  await Promise.all(
    ids.map((accountId) => nodes[0]!.ledger.give(sampleEntry({ accountId, microcredits: 20_000 }))),
  );
  const one = async (seed: number): Promise<void> => {
    const { ledger, gate } = nodes[seed % 4]!;
    const accountId = ids[(seed * 7) % ids.length]!;
    const held = await gate.hold(
      sampleOrder({
        accountId,
        keyId: `key_${accountId}_${seed % 2}`,
        pays: seed % 3 === 0 ? 'monthly' : 'purchased',
        period: samplePeriod({ id: `cycle-${seed % 5}`, startedAt: seed % 5 }),
        keyCapMicrocredits: seed % 2 === 0 ? 5_000 : null,
        worst,
      }),
    );
    if ('shortage' in held) return;
    if (seed % 11 === 0) await ledger.checkpoint([checkpointOf(held, 50)]);
    if (seed % 5 === 0) await ledger.void(held);
    else await ledger.post(samplePosting(held, (seed * 37) % 500));
  };
  await Promise.all(Array.from({ length: 600 }, (_, seed) => one(seed)));
  for (const accountId of ids) expect(await faults(accountId)).toEqual([]);
  const open = await database.first(
    'SELECT count(*) AS count FROM open_hold WHERE account_id = ANY ($1::text[])',
    [ids],
  );
  expect(open?.count).toBe(0);
});
