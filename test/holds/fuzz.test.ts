import { expect, setDefaultTimeout, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { fuzzHolds } from './fuzz-holds.ts';

setDefaultTimeout(120_000);

test('no body of any shape, in any dialect, is held below what it is counted as [CRD-47]', async () => {
  const { tries, tooLow } = await fuzzHolds({ tries: 600, random: seededRandom(20_261_122) });
  expect([tries, tooLow]).toEqual([600, []]);
});
