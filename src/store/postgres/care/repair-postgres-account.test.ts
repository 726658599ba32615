import { afterEach, beforeEach, expect, test } from 'bun:test';
import { sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { type CareForTest, faultsIn, fillLedger, freeHolds, openCare } from './testing/care-for-test.ts';
import { sampleUsages } from './testing/sample-usage.ts';
import { writeEntries } from './testing/write-entries.ts';

let place: CareForTest;
beforeEach(async () => {
  place = await openCare();
});
afterEach(() => place.close());

const repairOf = (accountId = 'acct_1', { keepsBalances = false } = {}) =>
  place.care.repairAccount({ accountId, keepsBalances, at: sampleTime });

test('a repair restores each derived table without an entry', async () => {
  await fillLedger(place);
  await freeHolds(place);
  for (const change of [
    'UPDATE bucket SET granted = granted + 5, used = used - 1',
    'DELETE FROM bucket',
    'UPDATE key_month SET used = 0',
    `INSERT INTO bucket VALUES ('acct_1', 'cycle-9', 0, 0)`,
    `INSERT INTO key_month VALUES ('key_1', '2026-13', 'acct_1', 0, 0)`,
    'DELETE FROM token_day',
    'UPDATE usage_hour SET requests = requests + 1',
    'DELETE FROM usage_day',
    `UPDATE account_head SET hash = 'x', sequence = 3`,
    `UPDATE entry SET at = at - 9 WHERE id = 'ent_4'`,
    `UPDATE entry SET sequence = 1007 WHERE id = 'ent_4'`,
    `UPDATE entry SET account_id = 'acct_2', sequence = 70 WHERE id = 'ent_4'`,
    `UPDATE entry SET number = 5000 WHERE id = 'ent_4'`,
  ]) {
    await place.database.script(change);
    expect({ change, isFound: (await faultsIn(place)).length > 0 }).toEqual({ change, isFound: true });
    for (const accountId of ['acct_1', 'acct_2'])
      expect({ change, repair: await repairOf(accountId) }).toMatchObject({ change, repair: { added: [] } });
    expect({ change, faults: await faultsIn(place) }).toEqual({ change, faults: [] });
    expect(place.care.quarantineOf('acct_1')).toBeUndefined();
  }
  await place.care.rollUp.catchUp();
  expect(await faultsIn(place)).toEqual([]);
});

test('a repair continues the chain with an entry for each damaged one', async () => {
  await fillLedger(place);
  await freeHolds(place);
  await place.database.script(
    `UPDATE entry SET text = '[]' WHERE id = 'ent_3'; DELETE FROM entry WHERE id = 'ent_5'`,
  );
  expect(await repairOf()).toMatchObject({
    entries: 9,
    added: [
      { kind: 'adjustment', microcredits: 0 },
      { kind: 'adjustment', microcredits: 0 },
    ],
  });
  expect(await faultsIn(place)).toEqual([]);
  expect(place.care.quarantineOf('acct_1')).toBeUndefined();
  await writeEntries(place.database, sampleUsages(2));
  await place.care.rollUp.catchUp();
  expect(await faultsIn(place)).toEqual([]);
  await place.reads.findEntry('ent_3');
  expect(place.care.quarantineOf('acct_1')).toBeUndefined();
  await place.database.run(`UPDATE entry SET text = '[0]' WHERE id = 'ent_3'`);
  expect((await faultsIn(place)).length).toBeGreaterThan(0);
});

test('a repair that keeps the balances adds what the entries lack', async () => {
  await fillLedger(place);
  await freeHolds(place);
  await place.database.run(
    `UPDATE bucket SET granted = granted + 90 WHERE period = 'purchased' AND account_id = 'acct_1'`,
  );
  expect(await repairOf('acct_1', { keepsBalances: true })).toMatchObject({
    added: [{ period: 'purchased', microcredits: 90 }],
  });
  expect(await faultsIn(place)).toEqual([]);
});

test('a repair runs only while the account has no requests', async () => {
  await fillLedger(place);
  await place.database.run('UPDATE bucket SET used = 0');
  expect(await repairOf()).toBeUndefined();
  expect(place.care.quarantineOf('acct_1')?.reason).toContain('being repaired');
  await freeHolds(place);
  expect(await repairOf()).toMatchObject({ added: [] });
  expect(await place.database.first(`SELECT 1 FROM quarantine WHERE account_id = 'acct_1'`)).toBeUndefined();
});

test('an account with archived entries is repaired', async () => {
  await fillLedger(place);
  await freeHolds(place);
  await place.care.archiveEntries({ before: sampleTime + 1 });
  await place.database.script(`UPDATE bucket SET used = 0; UPDATE entry SET text = '[]' WHERE id = 'ent_7'`);
  expect(await repairOf()).toMatchObject({ entries: 10, added: [{ kind: 'adjustment' }] });
  expect(await faultsIn(place)).toEqual([]);
});
