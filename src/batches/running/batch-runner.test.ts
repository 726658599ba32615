import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { SpentMemory } from '../../base/jobs/spent-memory.ts';
import { StartPace } from '../../base/jobs/start-pace.ts';
import { MovableClock } from '../../base/lib/clock.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { BatchStore, RunningBatch } from '../stored/batch-store.ts';
import type { ItemEnd, ItemRun } from '../stored/item-run.ts';
import { BatchRunner } from './batch-runner.ts';

const batchOf = (sequence: number): RunningBatch =>
  ({
    sequence,
    id: `batch_${sequence}`,
    collection: 'chat',
    mode: 'standard',
    size: 1,
    deadlineAt: Date.now() + 1e9,
    cancelInitiatedAt: null,
    endedAt: null,
  }) as RunningBatch;

const itemOf = (batch: number, fields: Partial<ClaimedItem> = {}): ClaimedItem => ({
  customId: 'a',
  requestId: 'req_1',
  params: '{}',
  failures: 0,
  deaths: 0,
  submission: null,
  lease: { batch, number: 0, attempt: 1 },
  ...fields,
});

/** Returns a runner with one batch whose items are claimed one by one. */
function setUp(items: ClaimedItem[], run: (signal: AbortSignal) => ItemRun) {
  const calls: string[] = [];
  const store = partial<BatchStore>({
    loadRunning: async () => [batchOf(1)],
    claimItems: async ({ asks }: Parameters<BatchStore['claimItems']>[0]) =>
      asks.map(({ sequence }) => ({
        sequence,
        items: items.splice(0, 1),
        nextDueAt: items.length > 0 ? 0 : null,
      })),
    finishItem: async ({ result, line }: Parameters<BatchStore['finishItem']>[0]) => {
      calls.push(`${result} ${line?.includes('internal_error') ?? ''}`.trim());
      return true;
    },
    putBack: async ({ failed }: Parameters<BatchStore['putBack']>[0]) => void calls.push(`back ${failed}`),
    endBatch: async () => calls.push('end') > 0,
    expireItems: async () => {},
  });
  const failures: unknown[] = [];
  const runner = new BatchRunner({
    store,
    clock: new MovableClock(),
    pace: new StartPace(() => performance.now()),
    spent: new SpentMemory({ isQuiet: false }),
    concurrency: () => 4,
    run: (_item, _batch, signal) => run(signal),
    cancelAtProviders: () => {},
    onEnded: () => {},
    onFailure: (error) => void failures.push(error),
  });
  const settled = () => waitFor(() => runner.active.length === 0);
  return { runner, calls, failures, settled, store };
}

const answered = (): ItemRun => ({ done: Promise.resolve(undefined), hasBegun: () => true });

test('errors an item that was in progress at five crashes, without another attempt', async () => {
  let runs = 0;
  const { runner, calls, settled } = setUp([itemOf(1, { deaths: 5 }), itemOf(1, { deaths: 4 })], () => {
    runs++;
    return answered();
  });
  await runner.start();
  await settled();
  expect({ calls, runs }).toEqual({ calls: ['errored true', 'end'], runs: 1 });
});

test('writes the end of an item when the store is back, without running the item again', async () => {
  let runs = 0;
  const { runner, calls, failures, settled, store } = setUp([itemOf(1)], () => {
    runs++;
    return { done: Promise.resolve('expired'), hasBegun: () => true };
  });
  const { finishItem } = store;
  store.finishItem = async () => {
    store.finishItem = finishItem;
    throw new Unavailable('The store is away', 'wait');
  };
  await runner.start();
  await settled();
  expect({ calls, runs, failureCount: failures.length }).toEqual({
    calls: ['expired', 'end'],
    runs: 1,
    failureCount: 1,
  });
});

test('puts back the items in progress at a stop without counting a failure', async () => {
  const begun = Promise.withResolvers<void>();
  const { runner, calls } = setUp([itemOf(1)], (signal) => {
    const done = new Promise<Refusal>((resolve) => {
      signal.addEventListener('abort', () => resolve(new Refusal('upstream_unavailable')));
    });
    begun.resolve();
    return { done, hasBegun: () => true };
  });
  await runner.start();
  await begun.promise;
  await runner.close();
  expect(calls).toEqual(['back false']);
});

test('a cancel calls off only items without an upstream call', async () => {
  for (const hasBegun of [false, true]) {
    const begun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<Refusal>();
    const { runner, calls, settled } = setUp([itemOf(1)], (signal) => {
      begun.resolve();
      signal.addEventListener('abort', () => finish.resolve(new Refusal('capacity_unavailable')));
      return { done: finish.promise, hasBegun: () => hasBegun };
    });
    await runner.start();
    await begun.promise;
    runner.cancel('batch_1');
    if (hasBegun) finish.resolve(new Refusal('invalid_request'));
    await settled();
    expect(calls).toEqual([hasBegun ? 'errored false' : 'canceled', 'end']);
  }
});

test('puts an item at a provider back at a stop, even if its batch was canceled', async () => {
  const begun = Promise.withResolvers<void>();
  const { runner, calls } = setUp([itemOf(1, { submission: 7 })], (signal) => {
    begun.resolve();
    const done = Promise.withResolvers<ItemEnd>();
    signal.addEventListener('abort', () => done.resolve(new Refusal('capacity_unavailable')));
    return { done: done.promise, hasBegun: () => true };
  });
  await runner.start();
  await begun.promise;
  runner.cancel('batch_1');
  await runner.close();
  expect(calls).toEqual(['back false']);
});
