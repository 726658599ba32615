import { expect, setDefaultTimeout, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { isLong } from '../support/is-long.ts';
import { fuzzHolds } from './fuzz-holds.ts';

setDefaultTimeout(isLong ? 600_000 : 120_000);

const TRIES = isLong ? 5_000 : 300;

test('holds at least the token count of a random body in each dialect [CRD-47]', async () => {
  const { tries, tooLow } = await fuzzHolds({ tries: TRIES, random: seededRandom(20_261_122) });
  expect([tries, tooLow]).toEqual([TRIES, []]);
});
