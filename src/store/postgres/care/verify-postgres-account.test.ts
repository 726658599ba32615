import { afterEach, beforeEach, expect, test } from 'bun:test';
import { fullTest } from '../../../../test/support/full-test.ts';
import { type CareForTest, faultsIn, openCare } from './testing/care-for-test.ts';
import { sampleUsage, sampleUsages } from './testing/sample-usage.ts';
import { writeEntries } from './testing/write-entries.ts';

let place: CareForTest;
beforeEach(async () => {
  place = await openCare();
});
afterEach(() => place.close());

test('the end of a chain is compared at one instant while entries are written', async () => {
  await writeEntries(place.database, sampleUsages(30));
  let isOver = false;
  const writer = (async () => {
    while (!isOver) {
      await writeEntries(place.database, [sampleUsage()]);
      await place.care.rollUp.runAll(5);
    }
  })();
  try {
    for (let round = 0; round < 10; round++)
      expect((await place.care.verifyAccount('acct_1')).faults).toEqual([]);
  } finally {
    isOver = true;
    await writer;
  }
  expect(await faultsIn(place)).toEqual([]);
});

fullTest(
  'a long chain is read in pages',
  async () => {
    await writeEntries(place.database, sampleUsages(1_203));
    await place.care.rollUp.catchUp();
    expect(await place.care.verifyAccount('acct_1', 1_000)).toEqual({
      entries: 1_203,
      counted: 1_000,
      faults: [],
    });
    await place.database.run('UPDATE entry SET at = at + 1 WHERE sequence = 250');
    expect((await place.care.verifyAccount('acct_1')).faults).toMatchObject([
      { what: expect.stringContaining('column at of entry') },
    ]);
  },
  60_000,
);
