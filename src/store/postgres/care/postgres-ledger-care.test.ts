import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { fullTest } from '../../../../test/support/full-test.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { DAY_MS, HOUR_MS } from '../../../base/lib/units.ts';
import { firstBin } from '../../../money/budgets/budget-window.ts';
import { archiveLedger } from '../../../money/ledger/archive-ledger.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { rowOfBudget } from '../../budget-rows.ts';
import { SqlStatement } from '../../sql-statement.ts';
import { everyPage } from '../../testing/conformance/every-page.ts';
import { sampleBudget } from '../../testing/conformance/sample-budget.ts';
import { sampleEntry, sampleTime } from '../../testing/conformance/sample-ledger.ts';
import { advisoryLocks } from '../advisory-locks.ts';
import { PostgresArchiver } from './postgres-archiver.ts';
import { type CareForTest, fillLedger, holdCredit, openCare } from './testing/care-for-test.ts';
import { sampleUsage, writeEntries, writeEntry } from './testing/write-entries.ts';

let place: CareForTest;
beforeEach(async () => {
  place = await openCare();
});
afterEach(() => place.close());

const FEBRUARY = Date.UTC(2026, 1);
const repairOf = (accountId = 'acct_1', { keepsBalances = false } = {}) =>
  place.care.repairAccount({ accountId, keepsBalances, at: sampleTime });
const faults = async () => (await verifyLedger(place.care)).faults;
const count = (number: number, of: (index: number) => Parameters<typeof sampleUsage>[0] = () => ({})) =>
  Array.from({ length: number }, (_, index) => sampleUsage(of(index)));

const entriesOf = async (accountId: string) =>
  (await everyPage(async (page) => (await place.reads.listEntries({ accountId, ...page }))!, 3)).flat();

const usage = { from: sampleTime - 40 * DAY_MS, to: FEBRUARY + 30 * DAY_MS };
const hour = (time: number) => Math.floor(time / HOUR_MS) * HOUR_MS;

async function factsOf(accountId: string) {
  const { reads, care } = place;
  const listed = await entriesOf(accountId);
  const span = { accountId, from: hour(usage.from), to: hour(usage.to) };
  return {
    listed,
    found: await Promise.all(listed.map(({ id }) => reads.findEntry(id))),
    usage: [await reads.sumUsage({ ...span, by: 'day' }), await reads.sumUsage({ ...span, by: 'key' })],
    verified: await care.verifyAccount(accountId),
  };
}

describe('reads', () => {
  test('pages list the entries of one account newest first with a mark on unconfirmed ones', async () => {
    await fillLedger(place);
    const listed = await entriesOf('acct_1');
    expect(listed.map(({ sequence }) => sequence)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(listed.filter((entry) => entry.isUnconfirmed).map(({ id }) => id)).toEqual(['ent_7']);
    expect(await place.reads.listEntries({ accountId: 'acct_1', limit: 3, after: 'ent_10' })).toBeUndefined();
    expect(await place.reads.findEntry('ent_none')).toBeUndefined();
  });

  test('an unreadable entry puts its account into quarantine on every node', async () => {
    await fillLedger(place);
    const other = await openCare(place.url);
    await place.database.run(`UPDATE entry SET text = '[]' WHERE id = 'ent_4'`);
    expect(await place.reads.findEntry('ent_4')).toMatchObject({ isUnreadable: true, accountId: 'acct_1' });
    expect(place.care.quarantineOf('acct_1')?.reason).toContain('ent_4');
    const isAnnounced = `SELECT 1 FROM change WHERE kind = 'quarantine' AND subject = 'acct_1'`;
    await waitFor(async () => (await place.database.first(isAnnounced)) !== undefined);
    const reported: string[] = [];
    other.care.onQuarantine(({ accountId }) => reported.push(accountId));
    await other.care.refreshQuarantines();
    expect({ reported, length: other.care.quarantined().length }).toEqual({
      reported: ['acct_1'],
      length: 2,
    });
    await other.close();
  });

  test('the usage of any span is the sum of its hours, before and after they are rolled up', async () => {
    const start = Date.UTC(2026, 0, 31);
    const hours = [-25, -24, -1, 0, 1, 5, 23, 24, 47, 48, 49, 72];
    await writeEntries(
      place.database,
      hours.map((each) => sampleUsage({ at: start + each * HOUR_MS + 1 })),
    );
    for (let round = 0; round < 2; round++) {
      for (const from of [-30, -25, -5, 0, 1, 24, 30])
        for (const to of [-24, 0, 2, 23, 24, 48, 50, 73]) {
          const span = { from: start + from * HOUR_MS, to: start + to * HOUR_MS };
          const sums = await place.reads.sumUsage({ accountId: 'acct_1', ...span, by: 'day' });
          const requests = sums.reduce((sum, day) => sum + day.requests, 0);
          expect({ from, to, requests }).toEqual({
            from,
            to,
            requests: hours.filter((h) => h >= from && h < to).length,
          });
        }
      await place.care.rollUp.catchUp();
    }
  });
});

describe('verification', () => {
  test('the end of a chain is compared at one instant while entries are written', async () => {
    await writeEntries(place.database, count(30));
    let isOver = false;
    const writer = (async () => {
      while (!isOver) {
        await writeEntries(place.database, [sampleUsage({})]);
        await place.care.rollUp.runAll(5);
      }
    })();
    for (let round = 0; round < 10; round++)
      expect((await place.care.verifyAccount('acct_1')).faults).toEqual([]);
    isOver = true;
    await writer;
    expect(await faults()).toEqual([]);
  });

  fullTest(
    'a long chain is read in pages',
    async () => {
      await writeEntries(place.database, count(1_203));
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
});

describe('archive', () => {
  const fill = async () => {
    for (const at of [sampleTime, FEBRUARY + DAY_MS])
      for (let round = 0; round < 4; round++)
        for (const accountId of ['acct_1', 'acct_2', 'acct_3'])
          await writeEntries(place.database, [
            sampleEntry({ accountId, at, microcredits: 500 + round }),
            sampleUsage({ accountId, at, keyId: `key_of_${accountId}` }),
          ]);
  };
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
    expect((await entriesOf('acct_2')).map(({ sequence }) => sequence).slice(0, 3)).toEqual([17, 16, 15]);
    const again = await openCare(place.url);
    expect(await verifyLedger(again.care)).toEqual({
      accounts: 3,
      entries: 49,
      faults: [],
      isComplete: true,
    });
    expect(await again.reads.isArchived(before.listed[0]!.id)).toBe(true);
    expect(await again.reads.isArchived('ent_next')).toBe(false);
    await again.close();
  });

  test('entries are read, written and verified while they are archived, by one node at a time', async () => {
    await fill();
    const before = await entriesOf('acct_2');
    const archived = place.care.archiveEntries({ before: FEBRUARY });
    expect(await place.care.archiveEntries({ before: FEBRUARY })).toBeUndefined();
    let isOver = false;
    void archived.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await writeEntries(place.database, [sampleEntry({ accountId: 'acct_3', at: FEBRUARY + DAY_MS })]);
      expect(await entriesOf('acct_2')).toEqual(before);
      expect((await place.care.verifyAccount('acct_3')).faults).toEqual([]);
    }
    expect(await archived).toMatchObject({ entries: 24 });
    expect(await faults()).toEqual([]);
  });

  test('a node does not archive while another one does', async () => {
    await fill();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const other = place.database.transaction(async (queries) => {
      await queries.all('SELECT pg_advisory_xact_lock($1)', [advisoryLocks.archiveEntries]);
      locked();
      await mayEnd;
    });
    await isLocked;
    expect(await place.care.archiveEntries({ before: FEBRUARY })).toBeUndefined();
    end();
    await other;
    expect(await place.care.archiveEntries({ before: FEBRUARY })).toMatchObject({ entries: 24 });
  });

  test('an entry that is not in the sums yet is not archived', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>();
    const late = place.database.transaction(async (queries) => {
      await writeEntry(queries, sampleUsage({ accountId: 'acct_2', keyId: 'key_2' }));
      written();
      await mayEnd;
    });
    await isWritten;
    await writeEntries(place.database, count(2));
    const { database, care } = place;
    const archiver = new PostgresArchiver({
      database,
      archive: care.archive,
      rollUp: care.rollUp,
      waitMs: 0,
    });
    expect(await archiver.moveAll(FEBRUARY)).toEqual(none);
    end();
    await late;
    expect(await place.care.archiveEntries({ before: FEBRUARY })).toMatchObject({ entries: 3 });
    expect(await faults()).toEqual([]);
  });
});

describe('repair', () => {
  const free = () =>
    place.database.script('DELETE FROM open_hold; UPDATE bucket SET held = 0; UPDATE key_month SET held = 0');

  test('a repair restores each derived table without an entry', async () => {
    await fillLedger(place);
    await free();
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
      expect([change, (await faults()).length > 0]).toEqual([change, true]);
      for (const accountId of ['acct_1', 'acct_2'])
        expect({ change, repair: await repairOf(accountId) }).toMatchObject({
          change,
          repair: { added: [] },
        });
      expect({ change, result: await faults() }).toEqual({ change, result: [] });
      expect(place.care.quarantineOf('acct_1')).toBeUndefined();
    }
    await place.care.rollUp.catchUp();
    expect(await faults()).toEqual([]);
  });

  test('a repair continues the chain with an entry for each damaged one', async () => {
    await fillLedger(place);
    await free();
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
    expect(await faults()).toEqual([]);
    expect(place.care.quarantineOf('acct_1')).toBeUndefined();
    await writeEntries(place.database, count(2));
    await place.care.rollUp.catchUp();
    expect(await faults()).toEqual([]);
    await place.reads.findEntry('ent_3');
    expect(place.care.quarantineOf('acct_1')).toBeUndefined();
    await place.database.run(`UPDATE entry SET text = '[0]' WHERE id = 'ent_3'`);
    expect((await faults()).length).toBeGreaterThan(0);
  });

  test('a repair that keeps the balances adds what the entries lack', async () => {
    await fillLedger(place);
    await free();
    await place.database.run(
      `UPDATE bucket SET granted = granted + 90 WHERE period = 'purchased' AND account_id = 'acct_1'`,
    );
    expect(await repairOf('acct_1', { keepsBalances: true })).toMatchObject({
      added: [{ period: 'purchased', microcredits: 90 }],
    });
    expect(await faults()).toEqual([]);
  });

  test('a repair runs only while the account has no requests', async () => {
    await fillLedger(place);
    await place.database.run('UPDATE bucket SET used = 0');
    expect(await repairOf()).toBeUndefined();
    expect(place.care.quarantineOf('acct_1')?.reason).toContain('being repaired');
    await free();
    expect(await repairOf()).toMatchObject({ added: [] });
    expect(
      await place.database.first(`SELECT 1 FROM quarantine WHERE account_id = 'acct_1'`),
    ).toBeUndefined();
  });

  test('the removal of a damaged hold frees what it reserved', async () => {
    await fillLedger(place);
    await place.database.run('UPDATE open_hold SET microcredits = 900');
    expect((await faults()).map(({ what }) => what)).toContain('seal of open_hold req_open');
    expect(await place.care.repairStore()).toEqual({ removedHolds: 1 });
    expect(await faults()).toEqual([]);
    await holdCredit(place.database);
    await place.database.run(`UPDATE open_hold SET checkpoint = '{"tokens":9}', seal = DEFAULT`);
    expect(await faults()).toEqual([]);
  });

  test('a damaged hold that is removed reserves nothing of a budget', async () => {
    await fillLedger(place);
    const later = firstBin(sampleBudget(), sampleTime + 40 * DAY_MS);
    const statement = new SqlStatement();
    const row = rowOfBudget(sampleBudget({ countsFrom: later }));
    await place.database.run(statement.insert('budget', row), statement.values);
    await place.database.script(
      `SELECT count_budgets('acct_1');
       UPDATE open_hold SET budgets = '[["cnt_organization", "", ${later}]]', seal = DEFAULT;
       INSERT INTO budget_spend (account_id, counter, target, bin, held)
       VALUES ('acct_1', 'cnt_organization', '', ${later}, 50)`,
    );
    expect(await faults()).toEqual([]);
    await place.database.run('UPDATE open_hold SET microcredits = 900');
    expect(await place.care.repairStore()).toEqual({ removedHolds: 1 });
    expect(await faults()).toEqual([]);
  });

  test('damaged positions and quarantines are accepted by a repair of the store', async () => {
    await fillLedger(place);
    await place.database.script(
      `UPDATE quarantine SET reason = 'x'; UPDATE unconfirmed SET entry_id = 'ent_6'`,
    );
    expect((await faults()).map(({ what }) => what)).toEqual([
      'seal of quarantine acct_9',
      'seal of unconfirmed ent_6',
    ]);
    expect(await place.care.repairStore()).toEqual({ removedHolds: 0 });
    expect(await faults()).toEqual([]);
  });

  test('an account with archived entries is repaired', async () => {
    await fillLedger(place);
    await free();
    await place.care.archiveEntries({ before: sampleTime + 1 });
    await place.database.script(
      `UPDATE bucket SET used = 0; UPDATE entry SET text = '[]' WHERE id = 'ent_7'`,
    );
    expect(await repairOf()).toMatchObject({ entries: 10, added: [{ kind: 'adjustment' }] });
    expect(await faults()).toEqual([]);
  });
});
