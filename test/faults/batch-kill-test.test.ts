import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { isLong } from '../support/is-long.ts';
import { runBatchKillTest } from './run-batch-kill-test.ts';

test('gives every batch item one result and at most one charge when the server is killed', async () => {
  const [batches, items, kills] = isLong ? [5, 200, 8] : [3, 100, 4];
  const report = await runBatchKillTest({ batches, items, kills, random: seededRandom(20_261_121) });
  const billed = batches * items;
  expect(report).toMatchObject({ kills, batches, results: { succeeded: billed }, billed, faults: [] });
}, 120_000);

test('gives every item of a native batch one result and at most one charge when the server is killed', async () => {
  const [batches, items, kills] = isLong ? [4, 150, 4] : [2, 60, 2];
  const random = seededRandom(20_261_122);
  const report = await runBatchKillTest({ batches, items, kills, native: true, random });
  const billed = batches * items;
  expect(report).toMatchObject({ kills, batches, results: { succeeded: billed }, billed, faults: [] });
}, 120_000);
