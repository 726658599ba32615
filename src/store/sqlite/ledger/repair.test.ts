import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { AccountQuarantined } from '../../../base/errors/account-quarantined.ts';
import type { HoldOrder } from '../../../money/ledger/hold.ts';
import type { Quarantine } from '../../../money/ledger/ledger-care.ts';
import { UnreadableEntry } from '../../../money/ledger/refuse-unreadable.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { budgetAudit, sampleBudget } from '../../testing/conformance/sample-budget.ts';
import {
  heldBy,
  sampleEntry,
  sampleOrder,
  samplePeriod,
  samplePosting,
  sampleTime,
} from '../../testing/conformance/sample-ledger.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import type { SqliteStore } from '../sqlite-store.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { derivedTables } from './derived-tables.ts';

// Damage to one account affects only that account and can be repaired.

const { directory: place, remove } = temporaryDirectory();
let directory = '';
let copies = 0;
let store: SqliteStore;
afterAll(remove);

beforeEach(async () => {
  directory = join(place, `data-${copies++}`);
  store = await openSqliteStore({ directory });
});
afterEach(() => store.close());

const period = samplePeriod();
const order = { accountId: 'acct_1', keepsBalances: false, at: sampleTime };
const faults = async () => (await verifyLedger(store.ledger)).faults.map(({ what }) => what);
const post = async (cost: number, requestId: string, fields: Partial<HoldOrder> = {}) =>
  store.ledger.post(samplePosting(await heldBy(store.ledger, { requestId, ...fields }), cost));
const rowsOfTables = () =>
  store.read((connection) =>
    derivedTables.map(({ name }) => [name, connection.all(`SELECT * FROM ${name} ORDER BY 1, 2, 3`)]),
  );

/** Two accounts: the first has a purchase, two requests and a grant; the second has a purchase. */
async function fill(): Promise<void> {
  await store.ledger.budgets.createBudget(sampleBudget({ scope: 'key' }), budgetAudit, 10);
  await store.ledger.give(sampleEntry({ id: 'ent_1', microcredits: 500 }));
  await post(100, 'req_2');
  await post(30, 'req_3', { keyCapMicrocredits: 120 });
  await store.ledger.give(sampleEntry({ id: 'ent_4', kind: 'grant', period: 'cycle-1', microcredits: 60 }));
  await store.ledger.give(sampleEntry({ id: 'ent_5', accountId: 'acct_2', microcredits: 9 }));
}

/** Simulates a crash followed by a change of the file. */
async function crashInto(sql: string): Promise<void> {
  const crashed = `${directory}-crashed`;
  cpSync(directory, crashed, { recursive: true });
  await store.close();
  directory = crashed;
  change(sql);
  store = await openSqliteStore({ directory });
}

async function reopenWith(sql: string): Promise<void> {
  await store.close();
  change(sql);
  store = await openSqliteStore({ directory });
}

function change(sql: string): void {
  const database = new Database(join(directory, 'tollgate.db'));
  for (const statement of sql.split(';')) database.run(statement);
  database.close();
}

async function expectQuarantine(): Promise<void> {
  expect(store.ledger.quarantineOf('acct_1')?.reason).toContain('cannot be read');
  expect(() => store.ledger.hold(sampleOrder())).toThrow(AccountQuarantined);
  expect(() => store.ledger.afford(sampleOrder())).toThrow(AccountQuarantined);
  await expect(store.ledger.give(sampleEntry())).rejects.toThrow(AccountQuarantined);
  await expect(store.ledger.openPeriod('acct_1', period)).rejects.toThrow(AccountQuarantined);
  expect(await store.ledger.give(sampleEntry({ accountId: 'acct_2', microcredits: 1 }))).toBe(true);
}

for (const text of ['nothing', '[]', '["acct_1",3,0,"usage","cycle-1",1e99,null,null]', ''])
  test(`an entry with the text ${JSON.stringify(text)} quarantines only its own account at the start [CRD-48]`, async () => {
    await fill();
    await crashInto(`UPDATE entry SET text = '${text}' WHERE number = 3`);
    await expectQuarantine();
    for (let starts = 0; starts < 2; starts++) {
      await reopenWith('SELECT 1');
      await expectQuarantine();
    }
    const page = await store.ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items.map(({ id, isUnreadable }) => [id, isUnreadable === true])).toEqual([
      ['ent_4', false],
      ['ent_3', true],
      ['ent_2', false],
      ['ent_1', false],
    ]);
  });

test('an unreadable entry quarantines only its account when it is read [CRD-48]', async () => {
  await fill();
  const quarantined: Quarantine[] = [];
  store.ledger.onQuarantine((one) => quarantined.push(one));
  const underWay = await heldBy(store.ledger, { requestId: 'req_6' });
  await store.read((connection) => connection.run(`UPDATE entry SET text = 'x' WHERE number = 2`));
  expect(await store.ledger.findEntry('ent_2')).toMatchObject({ accountId: 'acct_1', isUnreadable: true });
  await store.ledger.findEntry('ent_2');
  expect(quarantined).toMatchObject([{ accountId: 'acct_1' }]);
  await expectQuarantine();
  // The request that was under way is still charged.
  await store.ledger.post(samplePosting(underWay, 50));
  expect((await store.ledger.findEntry('ent_6'))?.microcredits).toBe(50);
});

test('verification finds unreadable entries and quarantines their account', async () => {
  await fill();
  await reopenWith(`UPDATE entry SET text = 'x' WHERE number = 2`);
  expect(store.ledger.quarantined()).toEqual([]);
  expect(await faults()).toContain('text of entry ent_2');
  await expectQuarantine();
});

test('a repair from the readable entries ends the quarantine [CRD-48]', async () => {
  await fill();
  await crashInto(`UPDATE entry SET text = 'x' WHERE number = 2`);
  const repaired = await store.ledger.repairAccount(order);
  expect(repaired).toMatchObject({
    entries: 4,
    faults: expect.arrayContaining([expect.objectContaining({ what: 'text of entry ent_2' })]),
    added: [{ kind: 'adjustment', microcredits: 0, reason: expect.stringContaining('ent_2') }],
  });
  for (let starts = 0; starts < 2; starts++) {
    expect(store.ledger.quarantined()).toEqual([]);
    expect(await faults()).toEqual([]);
    expect(store.ledger.balances('acct_1', period)).toMatchObject({
      usedMicrocredits: 30,
      grantedMicrocredits: 60,
      purchasedMicrocredits: 500,
    });
    const page = await store.ledger.listEntries({ accountId: 'acct_1', limit: 10 });
    expect(page?.items.map(({ isUnreadable = false }) => isUnreadable)).toContain(true);
    await reopenWith('SELECT 1');
  }
  await post(1, 'req_after');
  expect(await faults()).toEqual([]);
});

test('an accepted entry that changes again is a fault again', async () => {
  await fill();
  await crashInto(`UPDATE entry SET text = 'x' WHERE number = 2`);
  await store.ledger.repairAccount(order);
  await reopenWith(`UPDATE entry SET text = 'y' WHERE number = 2`);
  expect(await faults()).toContain('text of entry ent_2');
  await expectQuarantine();
});

test('a repair can preserve each balance', async () => {
  await fill();
  await reopenWith(
    `UPDATE entry SET text = 'x' WHERE number = 1; UPDATE entry SET text = 'y' WHERE number = 2`,
  );
  const before = store.ledger.balances('acct_1', period);
  const repaired = await store.ledger.repairAccount({ ...order, keepsBalances: true });
  expect(repaired?.added.map(({ period: of, microcredits }) => [of, microcredits]).toSorted()).toEqual([
    ['cycle-1', -100],
    ['purchased', 0],
    ['purchased', 0],
    ['purchased', 500],
  ]);
  const after = store.ledger.balances('acct_1', period);
  expect(after.purchasedMicrocredits).toBe(before.purchasedMicrocredits);
  expect(after.grantedMicrocredits - after.usedMicrocredits).toBe(
    before.grantedMicrocredits - before.usedMicrocredits,
  );
  expect(await faults()).toEqual([]);
});

const damages: Record<string, string> = {
  'a removed newest entry': 'DELETE FROM entry WHERE number = 4',
  'a removed entry in the middle': 'DELETE FROM entry WHERE number = 2',
  'a removed first entry': 'DELETE FROM entry WHERE number = 1',
  'removed entries': `DELETE FROM entry WHERE number < 5`,
  'a changed charge': `UPDATE entry SET text = json_set(text, '$[5]', 1) WHERE number = 2`,
  'a skipped entry': 'UPDATE entry SET previous = 1 WHERE number = 3',
  'a moved end of the chain': `UPDATE account_head SET number = 2 WHERE account_id = 'acct_1'`,
  'a removed end of the chain': `DELETE FROM account_head WHERE account_id = 'acct_1'`,
  'an entry outside the chain': `INSERT INTO entry SELECT 6, 'ent_6', 2, text, 'x' FROM entry WHERE number = 3`,
};
for (const [name, sql] of Object.entries(damages))
  test(`a repair fixes: ${name}`, async () => {
    await fill();
    await reopenWith(sql);
    expect(await faults()).not.toEqual([]);
    await store.ledger.repairAccount(order);
    expect(await faults()).toEqual([]);
    await post(5, 'req_9');
    await reopenWith('SELECT 1');
    expect(await faults()).toEqual([]);
    expect(store.ledger.quarantined()).toEqual([]);
  });

for (const { name, values } of derivedTables)
  test(`a repair restores ${name}, and adds no entry`, async () => {
    await fill();
    await reopenWith('SELECT 1');
    const rows = await rowsOfTables();
    for (const sql of [`UPDATE ${name} SET ${values[0]} = 7`, `DELETE FROM ${name}`]) {
      await reopenWith(`${sql} WHERE account_id = 'acct_1'`);
      expect(await faults()).not.toEqual([]);
      expect((await store.ledger.repairAccount(order))?.added).toEqual([]);
      expect(await rowsOfTables()).toEqual(rows);
    }
  });

test('a repair runs only while the account has no requests', async () => {
  await fill();
  const hold = await heldBy(store.ledger, { requestId: 'req_6' });
  expect(await store.ledger.repairAccount(order)).toBeUndefined();
  expect(() => store.ledger.hold(sampleOrder())).toThrow(AccountQuarantined);
  await store.ledger.post(samplePosting(hold, 7));
  expect(await store.ledger.repairAccount(order)).toMatchObject({ entries: 5, added: [] });
  expect(store.ledger.balances('acct_1', period).usedMicrocredits).toBe(137);
  expect(await faults()).toEqual([]);
});

test('a damaged hold has no effect until a repair removes it', async () => {
  const sound = await heldBy(store.ledger);
  const damaged = await heldBy(store.ledger);
  await store.ledger.checkpoint(
    [sound, damaged].map((hold) => ({ posting: samplePosting(hold, 5), produced: true })),
  );
  await reopenWith(`UPDATE open_hold SET checkpoint = 'x' WHERE request_id = '${damaged.order.requestId}'`);
  expect(await store.ledger.recoverHolds()).toEqual({ billed: 1, voided: 0, damaged: 1 });
  expect(await faults()).toEqual([`seal of open_hold ${damaged.order.requestId}`]);
  expect(await store.ledger.repairStore()).toEqual({ removedHolds: 1 });
  expect(await faults()).toEqual([]);
});

test('reports damaged positions until they are repaired', async () => {
  await fill();
  await crashInto('UPDATE summed SET number = 4; UPDATE confirmed SET number = 3');
  for (let starts = 0; starts < 2; starts++) {
    expect(await faults()).toEqual(['seal of summed', 'seal of confirmed']);
    await post(1, `req_more_${starts}`);
    await reopenWith('SELECT 1');
  }
  await store.ledger.repairStore();
  await reopenWith('SELECT 1');
  expect(await faults()).toEqual([]);
  expect(store.ledger.balances('acct_1', period).usedMicrocredits).toBe(132);
});

test('an entry that could not be read back is neither written nor charged [CRD-48]', async () => {
  await fill();
  const held = await heldBy(store.ledger, { requestId: 'req_6' });
  const posting = samplePosting(held, 5);
  const receipt = { ...posting.receipt, rates: { ...posting.receipt.rates, output: Number.NaN } };
  await expect(store.ledger.post({ ...posting, receipt })).rejects.toThrow(UnreadableEntry);
  store.ledger.void(held);
  const strange = sampleEntry({ at: 0.5 });
  await expect(store.ledger.give(strange)).rejects.toThrow(UnreadableEntry);
  for (const microcredits of [0.5, Number.NaN, 2 ** 53])
    expect(await store.ledger.give(sampleEntry({ microcredits }))).toBe(false);
  expect(store.ledger.balances('acct_1', period)).toMatchObject({
    usedMicrocredits: 130,
    grantedMicrocredits: 60,
    purchasedMicrocredits: 500,
  });
  // Bad data of an earlier process must not prevent the start.
  await store.ledger.replay([{ ...posting, receipt }]);
  expect(store.ledger.quarantineOf('acct_1')?.reason).toContain('req_6');
  expect(await faults()).toEqual([]);
});
