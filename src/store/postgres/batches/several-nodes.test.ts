import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { systemClock } from '../../../base/lib/clock.ts';
import { seededRandom } from '../../../base/lib/testing/seeded-random.ts';
import { BatchDirectory } from '../../../batches/collections/batch-directory.ts';
import type { BatchRunner } from '../../../batches/running/batch-runner.ts';
import { sampleBatch, sampleItems, sampleSubmission } from '../../testing/conformance/sample-batches.ts';
import { closeNode } from '../testing/nodes-for-test.ts';
import { type NodeWork, never, type TestNode } from './testing/test-node.ts';
import { TestNodes } from './testing/test-nodes.ts';

const nodes = await TestNodes.create();
const { database } = nodes;
afterAll(() => nodes.close());

const lasting = { createdAt: Date.now(), expiresAt: Date.now() + 3e7, deadlineAt: Date.now() + 2e7 };

async function created({ store }: TestNode, size: number) {
  const batch = sampleBatch({ ...lasting, size, keyId: 'key_1' });
  const sequence = (await store.stageBatch(batch, { bytes: 100_000, quota: null }))!;
  await store.stageItems(sequence, 0, sampleItems(size));
  await store.openBatch(sequence);
  return { ...batch, sequence };
}

type Running = { node: TestNode; runner: BatchRunner };

/**
 * Passes the change feed to all runners, as the notices of the database do. Returns a function that ends it.
 */
function feed(running: () => readonly Running[]): () => Promise<void> {
  let isOver = false;
  const passing = (async () => {
    for (let last = 0; !isOver; await Bun.sleep(5))
      for (const { id, subject } of await database.all(
        `SELECT id, subject FROM change WHERE kind = 'batch' AND id > $1 ORDER BY id`,
        [last],
      )) {
        last = Number(id);
        for (const { node, runner } of running()) if (!node.isDead) void runner.takeUp(String(subject));
      }
  })();
  return () => {
    isOver = true;
    return passing;
  };
}

const left = async () =>
  Number((await database.first('SELECT count(*) AS n FROM batch WHERE ended_at IS NULL'))?.n);

test('batches on three nodes end with one result and one charge for each item, while nodes die and are closed', async () => {
  const random = seededRandom(20_261_122);
  const work: NodeWork = async (node, item, signal) => {
    await Bun.sleep(random() * 25);
    if (node.isDead) return never();
    if (signal.aborted || random() < 0.02) return new Refusal('upstream_unavailable');
    await node.charge(item);
    return undefined;
  };
  const running: Running[] = [];
  const begin = async () => {
    const node = await nodes.add();
    const runner = node.runner(work);
    running.push({ node, runner });
    await runner.start();
  };
  for (let count = 0; count < 3; count++) await begin();
  const endFeed = feed(() => running);
  const batches = [];
  for (const size of [150, 60, 1, 90]) batches.push(await created(running[batches.length % 3]!.node, size));
  for (let event = 0; event < 12; event++) {
    await Bun.sleep(20 + random() * 40);
    const place = Math.floor(random() * running.length);
    const { node, runner } = running[place]!;
    if (random() < 0.6) {
      node.isDead = true;
      runner.stop();
      running.splice(place, 1);
      await Bun.sleep(random() * 30);
      await closeNode(database, node.id);
      await begin();
    } else {
      await node.closeAndGoOn();
      runner.putBackItems();
    }
    const [canceled] = batches.slice(-1);
    const { id, collection, keyId } = canceled!;
    if (event === 4) await running[0]!.node.store.cancelBatch({ id, collection, keyId }, Date.now());
  }
  await waitFor(async () => (await left()) === 0);
  await endFeed();
  await Promise.all(running.map(({ runner }) => runner.close()));

  const { store } = running[0]!.node;
  let succeeded = 0;
  for (const { id, size } of batches) {
    const found = (await store.inspectBatch(id))!;
    const { processing, ...ended } = found.counts;
    expect(processing).toBe(0);
    expect(Object.values(ended).reduce((sum, n) => sum + n)).toEqual(size);
    const lines = await store.readResults(id, { after: -1, limit: 1_000, bytes: 1e7 });
    expect(lines.map(({ number }) => number)).toEqual(Array.from({ length: size }, (_, number) => number));
    expect(lines.filter(({ result }) => result === 'succeeded')).toHaveLength(ended.succeeded);
    succeeded += ended.succeeded;
  }
  const charges = await database.first('SELECT count(*) AS n FROM charge');
  expect(Number(charges?.n)).toBe(succeeded);
  // A node can have died before it heard that it had ended a batch.
  const ended = nodes.all.flatMap((node) => node.ended);
  expect(new Set(ended).size).toBe(ended.length);
  expect(nodes.all.flatMap(({ failures }) => failures)).toEqual([]);
  const sums = await database.first(`
    SELECT (SELECT sum(stored) FROM batch) + (SELECT sum(delta) FROM batch_item) AS rows,
      (SELECT sum(bytes) FROM account_storage WHERE until = 0) AS total,
      (SELECT sum(bytes) FROM account_storage WHERE until > 0) AS steps`);
  expect({ total: Number(sums?.total), steps: Number(sums?.steps) }).toEqual({
    total: Number(sums?.rows),
    steps: Number(sums?.rows),
  });
}, 60_000);

test('every node works on a batch until any node cancels it', async () => {
  const workers = new Set<string>();
  const gate = Promise.withResolvers<void>();
  const work: NodeWork = async (node, item) => {
    workers.add(node.id);
    await gate.promise;
    await node.charge(item);
    return undefined;
  };
  const three = [await nodes.add(), await nodes.add(), await nodes.add()];
  const running = three.map((node) => ({ node, runner: node.runner(work) }));
  for (const { runner } of running) await runner.start();
  const endFeed = feed(() => running);
  const { id, collection, keyId } = await created(running[0]!.node, 40);
  await waitFor(async () => workers.size === 3);
  const { store } = running[2]!.node;
  const busy = () => database.first(`SELECT count(*) AS n FROM batch_item WHERE state = 'running'`);
  await waitFor(async () => Number((await busy())?.n) === 24);
  const directory = new BatchDirectory({ store, runner: running[2]!.runner, clock: systemClock });
  expect((await directory.find(id))?.progress).toMatchObject({ atWork: 24, itemsPerMinute: null });
  const canceled = await store.cancelBatch({ id, collection, keyId }, Date.now());
  expect(canceled?.counts).toMatchObject({ processing: 24, canceled: 16 });
  gate.resolve();
  await waitFor(async () => (await left()) === 0);
  const found = await directory.find(id);
  expect(found).toMatchObject({ counts: { succeeded: 24, canceled: 16 }, progress: null });
  await waitFor(async () => running.every(({ runner }) => runner.active.length === 0));
  await endFeed();
  for (const { runner } of running) await runner.close();
});

test('fifty creations under one key on three nodes make one batch', async () => {
  const three = [await nodes.add(), await nodes.add(), await nodes.add()];
  const key = { accountId: 'acct_9', collection: 'chat', key: 'once' };
  const now = Date.now();
  const times = { now, crashedAt: now + 60_000, expiresAt: now + 1e6 };
  const create = async (index: number) => {
    const { store } = three[index % 3]!;
    const token = `token_${index}`;
    const taken = await store.takeKey({ ...key, ...times, token, bodyHash: 'hash' });
    if (taken.kind !== 'taken') return taken.kind;
    const sequence = (await store.stageBatch(sampleBatch({ ...lasting, accountId: 'acct_9' }), {
      bytes: 10,
      quota: null,
    }))!;
    const answer = { body: 'made' };
    return (await store.openBatch(sequence, { owner: { ...key, token }, answer })) ? 'made' : 'lost';
  };
  const kinds = await Promise.all(Array.from({ length: 50 }, (_, index) => create(index)));
  expect(kinds.filter((kind) => kind === 'made')).toHaveLength(1);
  expect(kinds.filter((kind) => !['made', 'running', 'done'].includes(kind))).toEqual([]);
  expect(await create(51)).toBe('done');
  const row = await database.first(`SELECT count(*) AS n FROM batch WHERE account_id = 'acct_9'`);
  expect(Number(row?.n)).toBe(1);
});

test('a sweep releases what a stopped node left, each row once among several nodes', async () => {
  const three = [await nodes.add(), await nodes.add(), await nodes.add()] as const;
  const sequences: number[] = [];
  for (let count = 0; count < 4; count++) sequences.push((await created(three[0], 20)).sequence);
  await database.run(
    'UPDATE batch SET expires_at = 1 WHERE sequence = $1 OR sequence = $2',
    sequences.slice(0, 2),
  );
  const now = Date.now();
  const ask = { sequence: sequences[2]!, limit: 5, leaseUntil: now + 60_000 };
  await three[0].store.claimItems({ asks: [ask], now, leaseUntil: now + 60_000, renewed: [] });
  await database.run('UPDATE node SET closed_at = 1 WHERE id = $1', [three[0].id]);
  const sweep = ({ store }: TestNode) => store.sweepBatches({ now, forgetBefore: 0, limit: 30 });
  let removed = 0;
  for (let round = 0; round < 3; round++)
    for (const rows of await Promise.all(three.map(sweep))) removed += rows;
  expect(removed).toBe(2 * 20 * 2); // items and requests
  const row = await database.first(
    `SELECT count(*) FILTER (WHERE state = 'running' AND due_at = 0) AS due, count(*) AS items FROM batch_item WHERE batch = ANY ($1::bigint[])`,
    [sequences],
  );
  expect({ items: Number(row?.items), due: Number(row?.due) }).toEqual({ items: 40, due: 5 });
});

test('a start touches only the work of nodes that are gone, also their unfinished creations', async () => {
  const [alive, dead] = [await nodes.add(), await nodes.add()] as const;
  await database.run('DELETE FROM batch');
  const now = Date.now();
  const states = [];
  for (const node of [alive, dead]) {
    const { sequence } = await created(node, 1);
    const ask = { sequence, limit: 1, leaseUntil: now + 60_000 };
    await node.store.claimItems({ asks: [ask], now, leaseUntil: now + 60_000, renewed: [] });
    const staged = await node.store.stageBatch(sampleBatch(lasting), { bytes: 10, quota: null });
    const key = { accountId: node.id, collection: 'chat', key: 'k', token: 'a', bodyHash: 'h' };
    const times = { now, crashedAt: now + 60_000, expiresAt: now + 1e6 };
    await node.store.takeKey({ ...key, ...times });
    states.push({ sequence, staged, again: () => node.store.takeKey({ ...key, ...times, token: 'b' }) });
  }
  await database.run('UPDATE node SET closed_at = 1 WHERE id = $1', [dead.id]);
  const starting = await nodes.add();
  await starting.store.recoverBatches();
  for (const [index, { sequence, staged, again }] of states.entries()) {
    const isAlive = index === 0;
    const item = await database.first('SELECT due_at FROM batch_item WHERE batch = $1', [sequence]);
    expect(Number(item?.due_at)).toBe(isAlive ? now + 60_000 : 0);
    expect(await starting.store.openBatch(staged!)).toBe(isAlive);
    expect((await again()).kind).toBe(isAlive ? 'running' : 'taken');
  }
});

test('a node that is closed claims no items, renews no lease and submits nothing', async () => {
  const node = await nodes.add();
  const { sequence } = await created(node, 4);
  const now = Date.now();
  const leaseUntil = now + 60_000;
  const ask = { sequence, limit: 2, leaseUntil };
  const [before] = await node.store.claimItems({ asks: [ask], now, leaseUntil, renewed: [] });
  await closeNode(database, node.id);
  const atWork = before!.items.map(({ lease }) => lease);
  const [after] = await node.store.claimItems({ asks: [ask], now, leaseUntil, renewed: atWork });
  expect({ before: before!.items.length, after: after!.items.length }).toEqual({ before: 2, after: 0 });
  const row = await database.first('SELECT max(due_at) AS due FROM batch_item WHERE batch = $1', [sequence]);
  expect(Number(row?.due)).toBe(0);
  expect(await node.store.createSubmission(sampleSubmission(sequence), atWork)).toBeUndefined();
});
