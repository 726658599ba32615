import { afterAll, afterEach, expect, test } from 'bun:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { seededRandom } from '../../../base/lib/testing/seeded-random.ts';
import { Capacity } from '../../../upstream/capacity/capacity.ts';
import type { PlanClass } from '../../../upstream/capacity/plan-class.ts';
import type { Waiter } from '../../../upstream/capacity/slot-claim.ts';
import { waitForSlot } from '../../../upstream/capacity/testing/wait-for-slot.ts';
import { Database } from '../database.ts';
import { postgresForTest } from '../testing/postgres-for-test.ts';
import { ShareKeeper } from './share-keeper.ts';

const started: ShareKeeper[] = [];
let names = 0;

const database = new Database({ url: await (await postgresForTest()).create() });
afterEach(async () => {
  await Promise.all(started.splice(0).map((keeper) => keeper.stop()));
});
afterAll(() => database.close());

/** Starts nodes that share one provider. Notices reach all of them. */
async function nodesWith(count: number, maxConcurrent: number) {
  const provider = { id: `provider-${++names}`, maxConcurrent };
  const limits: (number | null)[] = Array.from({ length: count }, () => maxConcurrent);
  const nodes = Array.from({ length: count }, (_, index) => {
    const capacity = new Capacity({ now: () => performance.now() });
    const id = `node_${names}_${index}`;
    const keeper = new ShareKeeper({
      queries: database,
      node: () => id,
      capacity,
      providers: () => [{ ...provider, maxConcurrent: limits[index]! }],
      onFailure: (error) => {
        throw error;
      },
    });
    started.push(keeper);
    const ask = (planClass: PlanClass, served: () => void): Waiter | undefined =>
      waitForSlot(
        capacity,
        {
          account: `a${index}`,
          planClass,
          bytes: 1,
          providers: [provider],
          maxWaitMs: 60_000,
          freeShare: 0,
        },
        (outcome) => {
          if (outcome.kind === 'slot') served();
        },
      );
    return { id, keeper, capacity, ask, release: () => capacity.release(provider, `a${index}`) };
  });
  for (const { keeper, id } of nodes) {
    await database.run(`SELECT register_node($1, '1', 'hash', 'host', NULL)`, [id]);
    await keeper.start();
  }
  for (const { capacity } of nodes) {
    const own = capacity.onWaiting;
    capacity.onWaiting = (id) => {
      own?.(id);
      for (const { keeper } of nodes) keeper.notice(id);
    };
  }
  const inUse = () => nodes.reduce((sum, { capacity }) => sum + capacity.inUse(provider.id), 0);
  return { nodes, inUse, limits };
}

test('one busy node gets all slots of the idle ones', async () => {
  const { nodes, inUse } = await nodesWith(3, 12);
  let served = 0;
  for (let count = 0; count < 20; count++) nodes[2]!.ask('paid', () => served++);
  await waitFor(() => served === 12);
  expect(inUse()).toBe(12);
});

test('a freed slot goes to a paid request on another node before a Free one', async () => {
  const { nodes } = await nodesWith(2, 2);
  const order: string[] = [];
  const one = nodes[0]!;
  const other = nodes[1]!;
  one.ask('free', () => order.push('holder'));
  one.ask('free', () => order.push('holder'));
  await waitFor(() => order.length === 2);
  for (let count = 0; count < 3; count++) one.ask('free', () => order.push('free'));
  other.ask('paid', () => order.push('paid'));
  await Bun.sleep(500);
  one.release();
  await waitFor(() => order.length === 3);
  expect(order[2]).toBe('paid');
  one.release();
  other.release();
  await waitFor(() => order.length === 5);
});

test('every request is served within the limit of slots', async () => {
  const { nodes, inUse } = await nodesWith(4, 6);
  const random = seededRandom(7);
  let served = 0;
  let highest = 0;
  const TOTAL = 200;
  for (let count = 0; count < TOTAL; count++) {
    const node = nodes[Math.floor(random() * 4)]!;
    node.ask(random() < 0.5 ? 'paid' : 'free', () => {
      served++;
      setTimeout(node.release, 5 + random() * 10);
      queueMicrotask(() => {
        highest = Math.max(highest, inUse());
      });
    });
    if (count % 20 === 0) await Bun.sleep(20);
  }
  await waitFor(() => served === TOTAL);
  expect(highest).toBeLessThanOrEqual(6);
  expect(highest).toBeGreaterThan(2);
}, 60_000);

test('the shares of a lost node return', async () => {
  const { nodes } = await nodesWith(2, 4);
  let served = 0;
  for (let count = 0; count < 4; count++) nodes[0]!.ask('paid', () => served++);
  await waitFor(() => served === 4);
  await nodes[0]!.keeper.stop();
  for (let count = 0; count < 4; count++) nodes[1]!.ask('paid', () => served++);
  await waitFor(() => served === 8);
});

test('a provider without a limit since a reload has neither slots nor a queue', async () => {
  const { nodes, limits } = await nodesWith(2, 4);
  const one = nodes[0]!;
  const other = nodes[1]!;
  let served = 0;
  for (let count = 0; count < 5; count++) one.ask('paid', () => served++);
  await waitFor(() => served === 4);
  limits[0] = null;
  one.keeper.follow();
  for (let count = 0; count < 4; count++) one.release();
  await waitFor(() => served === 5);
  one.release();
  let free = 0;
  for (let count = 0; count < 4; count++) other.ask('free', () => free++);
  await waitFor(() => free === 4);
  expect(one.keeper.shares).toEqual({});
});

test('a lowered limit holds after one rebalance', async () => {
  const { nodes, limits } = await nodesWith(2, 10);
  const granted = () =>
    nodes.flatMap(({ keeper }) => Object.values(keeper.shares)).reduce((a, b) => a + b, 0);
  await waitFor(() => granted() === 10);
  limits.fill(4);
  for (const { keeper } of nodes) keeper.follow();
  const from = performance.now();
  await waitFor(() => granted() <= 4);
  expect(performance.now() - from).toBeLessThan(1_500);
});

test('a node that was closed keeps no more slots than it uses, until it has a new share', async () => {
  const answers = [[['narrow', 4, 4, false, false]], [['narrow', 2, 2, false, false]]];
  const kept: unknown[] = [];
  const shares: number[] = [];
  const keeper = new ShareKeeper({
    queries: {
      async first(_sql, [, states] = []) {
        kept.push(JSON.parse(String(states))[0].at(-1));
        return { answer: JSON.stringify(answers.shift()) };
      },
      run: async () => 0,
    },
    node: () => 'node_1',
    capacity: {
      inUse: () => 1,
      waitingFor: () => 0,
      setShare: (_, share) => shares.push(share!.slots),
      onWaiting: undefined,
    },
    providers: () => [{ id: 'narrow', maxConcurrent: 4 }],
    onFailure: (error) => {
      throw error;
    },
  });
  await keeper.start();
  expect(keeper.shares).toEqual({ narrow: 4 });
  keeper.renew();
  expect(keeper.shares).toEqual({ narrow: 1 });
  expect(shares.at(-1)).toBe(1);
  await keeper.sync();
  expect(kept.at(-1)).toBe(1);
  expect(keeper.shares).toEqual({ narrow: 2 });
  await keeper.stop();
});
