import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { AccountBatches } from './account-batches.ts';
import type { InspectedBatch } from './batch-directory.ts';

function setUp(endedAt: number | null) {
  const summed: string[] = [];
  const canceled: string[] = [];
  const counts = { processing: 1, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  const batch = { id: 'batch_1', accountId: 'acct_1', collection: 'chat', size: 1, counts, endedAt };
  const directory = {
    find: async (id: string) => (id === batch.id ? (batch as InspectedBatch) : undefined),
    list: async () => ({ items: [batch as InspectedBatch], hasMore: false }),
  };
  const batches = new AccountBatches({
    directory: partial<ConstructorParameters<typeof AccountBatches>[0]['directory']>(directory),
    store: {
      sumCharged: async (id) => summed.push(id),
      cancelBatch: async () => undefined,
      deleteBatch: async () => {},
      readResults: async () => [],
    },
    onCanceled: (id) => canceled.push(id),
    clock: { now: () => 5 },
  });
  return { batches, summed, canceled };
}

const own = { accountId: 'acct_1', id: 'batch_1' };

test('adds the charges of a batch up each time until it has ended', async () => {
  for (const [endedAt, sums] of [
    [null, 3],
    [4, 1],
  ] as const) {
    const { batches, summed } = setUp(endedAt);
    const costs = [];
    for (let round = 0; round < 2; round++)
      costs.push((await batches.list({ accountId: 'acct_1', limit: 9 }))!.items[0]!.chargedMicrocredits);
    const found = acceptedOrError(await batches.find(own));
    costs.push(found.chargedMicrocredits);
    expect({ length: summed.length, costs }).toEqual({
      length: sums,
      costs: endedAt === null ? [1, 2, 3] : [1, 1, 1],
    });
  }
});

test('cancels a batch only while it runs', async () => {
  const running = setUp(null);
  const ended = setUp(4);
  await running.batches.cancel(own);
  await ended.batches.cancel(own);
  expect({ running: running.canceled, ended: ended.canceled }).toEqual({ running: ['batch_1'], ended: [] });
});

test('knows no batch of another account', async () => {
  const { batches } = setUp(4);
  const foreign = { ...own, accountId: 'acct_2' };
  const page = { after: -1, limit: 9 };
  const answers = [
    await batches.find(foreign),
    await batches.cancel(foreign),
    await batches.delete(foreign),
    await batches.items(foreign, page),
    await batches.results(foreign),
  ];
  expect(answers.map((answer) => answer instanceof Refusal && answer.code)).toEqual(
    Array.from({ length: 5 }, () => 'not_found'),
  );
});
