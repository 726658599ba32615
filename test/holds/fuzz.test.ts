import { expect, setDefaultTimeout, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { isLong } from '../support/is-long.ts';
import { sizeOfRun } from '../support/size-of-run.ts';
import { fuzzBills } from './fuzz-bills.ts';
import { fuzzHolds } from './fuzz-holds.ts';

setDefaultTimeout(isLong ? 600_000 : 120_000);

const TRIES = sizeOfRun({ long: 5_000, full: 150, ordinary: 40 });

test('holds at least the token count of a random body in each dialect [CRD-47]', async () => {
  const { tries, tooLow } = await fuzzHolds({ tries: TRIES, random: seededRandom(20_261_122) });
  expect({ tries, tooLow }).toEqual({ tries: TRIES, tooLow: [] });
});

test('holds at least the whole bill of random requests with tools, thinking, compactions and other models [CRD-49]', async () => {
  const tries = sizeOfRun({ long: 2_000, full: 100, ordinary: 30 });
  const { faults, medianRatio, features } = await fuzzBills({ tries, random: seededRandom(20_261_128) });
  expect(faults).toEqual([]);
  expect(medianRatio).toBeWithin(1, 1.3);
  expect(Object.values(features).every((count) => count > 0)).toBe(true);
  expect(Object.keys(features)).toHaveLength(7);
});
