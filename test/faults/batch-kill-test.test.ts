import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { runBatchKillTest } from './run-batch-kill-test.ts';

test('whatever kills the server while batches are created and run, every item has one result and at most one charge', async () => {
  const report = await runBatchKillTest({
    batches: 5,
    items: 200,
    kills: 8,
    random: seededRandom(20_261_121),
  });
  expect(report).toMatchObject({
    kills: 8,
    batches: 5,
    results: { succeeded: 1_000 },
    billed: 1_000,
    faults: [],
  });
}, 120_000);

test('the same of items that go through the batches of providers', async () => {
  const report = await runBatchKillTest({
    ...{ batches: 4, items: 150, kills: 4, native: true },
    random: seededRandom(20_261_122),
  });
  expect(report).toMatchObject({
    kills: 4,
    batches: 4,
    results: { succeeded: 600 },
    billed: 600,
    faults: [],
  });
}, 120_000);
