import { afterEach, beforeEach, expect, test } from 'bun:test';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { HOUR_MS } from '../../../base/lib/units.ts';
import { type CareForTest, fillLedger, listAll, openCare } from './testing/care-for-test.ts';
import { sampleUsage } from './testing/sample-usage.ts';
import { writeEntries } from './testing/write-entries.ts';

let place: CareForTest;
beforeEach(async () => {
  place = await openCare();
});
afterEach(() => place.close());

test('pages list the entries of one account newest first with a mark on unconfirmed ones', async () => {
  await fillLedger(place);
  const listed = await listAll(place, 'acct_1');
  expect(listed.map(({ sequence }) => sequence)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(listed.filter((entry) => entry.isUnconfirmed).map(({ id }) => id)).toEqual(['ent_7']);
  expect(await place.reads.listEntries({ accountId: 'acct_1', limit: 3, after: 'ent_10' })).toBeUndefined();
  expect(await place.reads.findEntry('ent_none')).toBeUndefined();
});

test('an unreadable entry puts its account into quarantine on every node', async () => {
  await fillLedger(place);
  await using other = await openCare(place.url);
  await place.database.run(`UPDATE entry SET text = '[]' WHERE id = 'ent_4'`);
  expect(await place.reads.findEntry('ent_4')).toMatchObject({ isUnreadable: true, accountId: 'acct_1' });
  expect(place.care.quarantineOf('acct_1')?.reason).toContain('ent_4');
  const isAnnounced = `SELECT 1 FROM change WHERE kind = 'quarantine' AND subject = 'acct_1'`;
  await waitFor(async () => (await place.database.first(isAnnounced)) !== undefined);
  const reported: string[] = [];
  other.care.onQuarantine(({ accountId }) => reported.push(accountId));
  await other.care.refreshQuarantines();
  expect(reported).toEqual(['acct_1']);
  expect(other.care.quarantined()).toHaveLength(2);
});

test('the usage of any span is the sum of its hours, before and after they are rolled up', async () => {
  const start = Date.UTC(2026, 0, 31);
  const hours = [-25, -24, -1, 0, 1, 5, 23, 24, 47, 48, 49, 72];
  await writeEntries(
    place.database,
    hours.map((hour) => sampleUsage({ at: start + hour * HOUR_MS + 1 })),
  );
  for (const _ of ['before the roll-up', 'after it']) {
    for (const from of [-30, -25, -5, 0, 1, 24, 30])
      for (const to of [-24, 0, 2, 23, 24, 48, 50, 73]) {
        const span = { from: start + from * HOUR_MS, to: start + to * HOUR_MS };
        const sums = await place.reads.sumUsage({ accountId: 'acct_1', ...span, by: 'day' });
        const requests = sums.reduce((sum, day) => sum + day.requests, 0);
        const expected = hours.filter((hour) => hour >= from && hour < to).length;
        expect({ from, to, requests }).toEqual({ from, to, requests: expected });
      }
    await place.care.rollUp.catchUp();
  }
});
