import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS } from '../../../base/lib/units.ts';
import { archiveLedger } from '../../../money/ledger/archive-ledger.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { sampleEntry, sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { takeLock } from './care-locks.ts';
import { PostgresArchiver } from './postgres-archiver.ts';
import { type CareForTest, faultsIn, listAll, openCare } from './testing/care-for-test.ts';
import { openTransaction } from './testing/open-transaction.ts';
import { sampleUsage, sampleUsages } from './testing/sample-usage.ts';
import { writeEntries, writeEntry } from './testing/write-entries.ts';

let place: CareForTest;
beforeEach(async () => {
  place = await openCare();
});
afterEach(() => place.close());

const FEBRUARY = Date.UTC(2026, 1);
const SPAN = { from: Date.UTC(2025, 11), to: Date.UTC(2026, 3) };

async function factsOf(accountId: string) {
  const { reads, care } = place;
  const listed = await listAll(place, accountId);
  const span = { accountId, ...SPAN };
  return {
    listed,
    found: await Promise.all(listed.map(({ id }) => reads.findEntry(id))),
    usage: [await reads.sumUsage({ ...span, by: 'day' }), await reads.sumUsage({ ...span, by: 'key' })],
    verified: await care.verifyAccount(accountId),
  };
}

async function fill(): Promise<void> {
  for (const at of [sampleTime, FEBRUARY + DAY_MS])
    for (let round = 0; round < 4; round++)
      for (const accountId of ['acct_1', 'acct_2', 'acct_3'])
        await writeEntries(place.database, [
          sampleEntry({ accountId, at, microcredits: 500 + round }),
          sampleUsage({ accountId, at, keyId: `key_of_${accountId}` }),
        ]);
}

const none = { entries: 0, segments: 0, bytes: 0 };

test('archived entries are listed, found, summed and verified as before', async () => {
  await fill();
  const before = await factsOf('acct_2');
  expect(before.listed.length).toBe(16);
  expect(await place.care.archiveEntries({ before: sampleTime })).toEqual(none);
  expect(await archiveLedger(place.care, FEBRUARY)).toMatchObject({ entries: 24, segments: 1 });
  expect(await factsOf('acct_2')).toEqual(before);
  expect(await place.care.archiveEntries({ before: FEBRUARY })).toEqual(none);
  expect(await place.care.archiveEntries({ before: FEBRUARY + 28 * DAY_MS })).toMatchObject({
    entries: 24,
  });
  expect(await factsOf('acct_2')).toEqual(before);
  await writeEntries(place.database, [sampleEntry({ accountId: 'acct_2', id: 'ent_next' })]);
  expect((await listAll(place, 'acct_2')).map(({ sequence }) => sequence).slice(0, 3)).toEqual([17, 16, 15]);
  await using again = await openCare(place.url);
  expect(await verifyLedger(again.care)).toEqual({
    accounts: 3,
    entries: 49,
    faults: [],
    isComplete: true,
  });
  expect(await again.reads.isArchived(before.listed[0]!.id)).toBe(true);
  expect(await again.reads.isArchived('ent_next')).toBe(false);
});

test('entries are read, written and verified while they are archived', async () => {
  await fill();
  const before = await listAll(place, 'acct_2');
  let isOver = false;
  const archived = place.care.archiveEntries({ before: FEBRUARY }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await writeEntries(place.database, [sampleEntry({ accountId: 'acct_3', at: FEBRUARY + DAY_MS })]);
    expect(await listAll(place, 'acct_2')).toEqual(before);
    expect((await place.care.verifyAccount('acct_3')).faults).toEqual([]);
  }
  expect(await archived).toMatchObject({ entries: 24 });
  expect(await faultsIn(place)).toEqual([]);
});

test('a node archives once at a time', async () => {
  await fill();
  const archived = place.care.archiveEntries({ before: FEBRUARY });
  expect(await place.care.archiveEntries({ before: FEBRUARY })).toBeUndefined();
  expect(await archived).toMatchObject({ entries: 24 });
});

test('a node does not archive while another one does', async () => {
  await fill();
  await using other = await openTransaction(place.database, (queries) => takeLock(queries, 'archive'));
  expect(await place.care.archiveEntries({ before: FEBRUARY })).toBeUndefined();
  await other.commit();
  expect(await place.care.archiveEntries({ before: FEBRUARY })).toMatchObject({ entries: 24 });
});

test('an entry that is not in the sums yet is not archived', async () => {
  await using late = await openTransaction(place.database, (queries) =>
    writeEntry(queries, sampleUsage({ accountId: 'acct_2', keyId: 'key_2' })),
  );
  await writeEntries(place.database, sampleUsages(2));
  const { database, care } = place;
  const { archive, rollUp } = care;
  const impatient = new PostgresArchiver({ database, archive, rollUp, waitMs: 0 });
  expect(await impatient.moveAll(FEBRUARY)).toEqual(none);
  await late.commit();
  expect(await care.archiveEntries({ before: FEBRUARY })).toMatchObject({ entries: 3 });
  expect(await faultsIn(place)).toEqual([]);
});
