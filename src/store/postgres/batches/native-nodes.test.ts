import { afterAll, expect, test } from 'bun:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { systemClock } from '../../../base/lib/clock.ts';
import { newId } from '../../../base/lib/ids.ts';
import { NativeLane } from '../../../batches/native/native-lane.ts';
import type { NativeTransport } from '../../../batches/native/native-transport.ts';
import type { BatchRunner } from '../../../batches/running/batch-runner.ts';
import type { Hold } from '../../../money/ledger/hold.ts';
import type { HoldCheckpoint } from '../../../money/ledger/ledger-store.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import type { Target } from '../../../settings/hosts/target.ts';
import { sampleBatch, sampleItems, sampleSubmission } from '../../testing/conformance/sample-batches.ts';
import { closeNode } from '../testing/nodes-for-test.ts';
import { never, type TestNode } from './testing/test-node.ts';
import { TestNodes } from './testing/test-nodes.ts';

const wire = 'openai-chat';
const provider = { id: 'one' } as Provider;
const target: Target = { provider, upstreamModel: 'model', weight: 1, wires: [wire] };
const SIZE = 12;

const nodes = await TestNodes.create();
const { database } = nodes;
afterAll(() => nodes.close());

/** The steps after which a node dies. */
type Step = 'held' | 'created' | 'submitted' | 'opened' | 'polled' | 'delivered' | 'closed';

/** A provider, and the holds that nodes share through the database. */
class World {
  readonly sent = new Map<string, string[]>();
  readonly marks = new Map<string, string>();
  readonly canceled: string[] = [];
  readonly removed: string[] = [];
  readonly holds = new Map<string, HoldCheckpoint>();
  isEnded = false;

  transport(reach: (step: Step) => Promise<void>): NativeTransport {
    return {
      submit: async ({ requests, mark }) => {
        const id = `up_${this.sent.size}`;
        this.marks.set(id, mark);
        this.sent.set(
          id,
          requests.map(({ customId }) => customId),
        );
        await reach('submitted');
        return id;
      },
      settleMs: 20,
      list: () => this.#list(),
      poll: async () => {
        await reach('polled');
        return this.isEnded ? { kind: 'ended', results: ['all'] } : { kind: 'running' };
      },
      results: (batch) => this.#results(batch.upstreamId),
      cancel: async ({ upstreamId }) => void this.canceled.push(upstreamId),
      remove: async ({ upstreamId }) => void this.removed.push(upstreamId),
    };
  }

  async *#list() {
    for (const [upstreamId, mark] of this.marks)
      yield { upstreamId, mark, size: undefined, ageMs: undefined };
  }

  async *#results(id: string) {
    for (const customId of this.sent.get(id) ?? []) yield { customId, kind: 'answered' as const, text: '{}' };
  }
}

type Member = { node: TestNode; runner: BatchRunner; lane: NativeLane };

/**
 * Starts a node with a native lane. `diesAfter` ends it at a step. With `looks`, it looks for changes that
 * other nodes made.
 */
async function join(
  world: World,
  { diesAfter, looks = true }: { diesAfter?: Step; looks?: boolean } = {},
): Promise<Member> {
  const node = await nodes.add();
  const reach = async (step: Step) => {
    if (step === diesAfter) node.isDead = true;
    if (node.isDead) await never();
  };
  const { store } = node;
  const after = <A extends unknown[], T>(call: (...values: A) => Promise<T>, step: Step) => {
    return async (...values: A) => {
      const result = await call(...values);
      await reach(step);
      return result;
    };
  };
  const lane = new NativeLane({
    store: {
      createSubmission: after(store.createSubmission, 'created'),
      openSubmission: after(store.openSubmission, 'opened'),
      closeSubmission: after(store.closeSubmission, 'closed'),
      findSubmission: store.findSubmission,
      listUpstreamIds: store.listUpstreamIds,
      listItemsAway: store.listItemsAway,
      readParams: store.readParams,
    },
    ledger: {
      checkpoint: async (holds) => {
        for (const held of holds) world.holds.set(held.posting.hold.order.requestId, held);
        await reach('held');
      },
      void: ({ order }) => void (node.isDead || world.holds.delete(order.requestId)),
      reclaim: async (requestId) => world.holds.get(requestId)?.posting,
      voidUnclaimed: () => {},
    },
    transportOf: () => world.transport(reach),
    clock: systemClock,
    newMark: () => newId('m'),
    providerOf: () => provider,
    providers: () => new Map(),
    pack: async ({ requestId }) => {
      if (world.holds.has(requestId)) throw new Error(`the hold of ${requestId} is taken twice`);
      const hold = { order: { requestId } } as Hold;
      const held = { posting: { hold, receipt: {} }, produced: false } as HoldCheckpoint;
      return { target, wire, carriage: { path: '/chat', body: '{}' }, held, version: null };
    },
    runAlone: () => ({ done: never(), hasBegun: () => true }),
    deliver: async (item) => {
      await node.charge(item);
      world.holds.delete(item.requestId); // a posting ends the hold
      await reach('delivered');
      return undefined;
    },
    onFailure: (error) => void node.failures.push(error),
  });
  const runner = node.runner(async () => undefined, {
    run: (item, batch, signal) => lane.run(item, batch, signal),
    cancelAtProviders: (batch) => lane.cancel(batch),
    onEnded: (batch) => lane.forget(batch),
    refreshEveryMs: looks ? 50 : undefined,
  });
  return { node, runner, lane };
}

async function create({ store }: TestNode) {
  const now = Date.now();
  const times = { createdAt: now, expiresAt: now + 3e7, deadlineAt: now + 2e7 };
  const batch = sampleBatch({ ...times, size: SIZE, isNative: true, mode: 'native-required' });
  const sequence = (await store.stageBatch(batch, { bytes: 10, quota: null }))!;
  await store.stageItems(sequence, 0, sampleItems(SIZE));
  await store.openBatch(sequence);
  return batch.id;
}

/** Expects one result and one charge for each item, and no hold that is left. */
async function expectOnce(world: World, { store }: TestNode, id: string): Promise<void> {
  expect((await store.inspectBatch(id))?.counts).toMatchObject({ processing: 0, succeeded: SIZE });
  expect(await store.readResults(id, { after: -1, limit: 99, bytes: 1e6 })).toHaveLength(SIZE);
  const row = await database.first('SELECT count(*) AS n FROM charge');
  expect(Number(row?.n)).toBe(SIZE);
  await database.run('DELETE FROM charge');
  await waitFor(() => world.holds.size === 0);
}

const steps: Step[] = ['held', 'created', 'submitted', 'opened', 'polled', 'delivered', 'closed'];

for (const step of steps)
  test(`another node takes a submission over when its node dies after a step: ${step}`, async () => {
    const world = new World();
    world.isEnded = step !== 'polled';
    const first = await join(world, { diesAfter: step });
    const others = [await join(world), await join(world)];
    const id = await create(first.node);
    await first.runner.start();
    await waitFor(() => first.node.isDead);
    first.runner.stop();
    world.isEnded = true;
    for (const { runner } of others) await runner.start();
    // The others look for work before the installation closes the node.
    await Bun.sleep(100);
    await closeNode(database, first.node.id);
    const { store } = others[0]!.node;
    await waitFor(async () => (await store.inspectBatch(id))?.endedAt !== null);
    await expectOnce(world, others[0]!.node, id);
    expect(world.sent.size).toBe(1);
    for (const { lane, runner } of others) {
      await lane.close();
      await runner.close();
    }
  });

test('a node that was closed and goes on touches neither the submission nor the holds that another node took over', async () => {
  const world = new World();
  const first = await join(world, { looks: false });
  const second = await join(world);
  const id = await create(first.node);
  await first.runner.start();
  await waitFor(
    async () =>
      (await database.first('SELECT FROM native_submission WHERE upstream_id IS NOT NULL')) !== undefined,
  );
  await first.node.closeAndGoOn();
  await second.runner.start();
  const ofSecond = 'SELECT FROM native_submission WHERE node = $1';
  await waitFor(async () => (await database.first(ofSecond, [second.node.id])) !== undefined);
  first.lane.leave();
  first.runner.putBackItems();
  expect(world.holds.size).toBe(SIZE);
  world.isEnded = true;
  await waitFor(async () => (await second.node.store.inspectBatch(id))?.endedAt !== null);
  await expectOnce(world, second.node, id);
  expect({ count: world.sent.size, canceled: world.canceled, removed: world.removed }).toEqual({
    count: 1,
    canceled: [],
    removed: ['up_0'],
  });
  for (const { lane, runner } of [first, second]) {
    await lane.close();
    await runner.close();
  }
});

test('a node that stops gives up the holds of its items at providers before another node can claim the items', async () => {
  const node = await nodes.add();
  const { store } = node;
  const id = await create(node);
  const { sequence } = (await store.findRunning(id))!;
  const now = Date.now();
  const ask = { sequence, limit: 3, leaseUntil: now + 60_000 };
  const [round] = await store.claimItems({ asks: [ask], now, leaseUntil: now + 60_000, renewed: [] });
  await store.createSubmission(
    sampleSubmission(sequence, { upstreamId: 'up' }),
    round!.items.slice(0, 2).map(({ lease }) => lease),
  );
  for (const { requestId } of round!.items)
    await database.run(
      `INSERT INTO open_hold (request_id, node, account_id, key_id, pays, period, month, microcredits, is_capped, at)
       VALUES ($1, $2, 'acct_1', 'key_1', 'monthly', 'cycle-1', '2026-01', 1, false, 1)`,
      [requestId, node.id],
    );
  const [sent, failed, inHouse] = round!.items;
  await store.putBack({ lease: sent!.lease, dueAt: now, failed: false });
  await store.putBack({ lease: failed!.lease, dueAt: now, failed: true });
  await store.putBack({ lease: inHouse!.lease, dueAt: now, failed: false });
  const rows = await database.all('SELECT request_id FROM open_hold WHERE node = $1', ['']);
  expect(rows.map(({ request_id }) => request_id)).toEqual([sent!.requestId]);
});
