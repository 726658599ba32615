import { expect } from 'bun:test';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { LedgerStore } from '../../../money/ledger/ledger-store.ts';
import { verifyLedger } from '../../../money/ledger/verify-ledger.ts';
import { everyPage } from './every-page.ts';
import { heldBy, sampleEntry, samplePeriod, samplePosting, sampleTime } from './sample-ledger.ts';
import type { StoreTest } from './store-test.ts';

const FEBRUARY = Date.UTC(2026, 1, 1);
const ACCOUNTS = ['acct_1', 'acct_2', 'acct_3'];

/** A key belongs to one account. */
const keyOf = (accountId: string): string => `key_of_${accountId}`;

/** Writes entries of two months for three accounts, in turns. */
async function fill(ledger: LedgerStore): Promise<void> {
  for (const at of [sampleTime, FEBRUARY + DAY_MS])
    for (let round = 0; round < 4; round++)
      for (const accountId of ACCOUNTS) {
        const id = `${accountId}_${at}_${round}`;
        await ledger.give(sampleEntry({ id: `ent_gift_${id}`, accountId, at, microcredits: 500 + round }));
        const order = {
          requestId: `req_${id}`,
          accountId,
          keyId: keyOf(accountId),
          at,
          keyCapMicrocredits: 50,
        };
        const hold = await heldBy(ledger, order);
        await ledger.post(samplePosting(hold, 10 + round));
      }
}

const usage = { accountId: 'acct_2', from: sampleTime - 30 * DAY_MS, to: FEBRUARY + 30 * DAY_MS };

/** Reads everything that the ledger of an account shows. */
async function factsOf(ledger: LedgerStore, accountId = 'acct_2') {
  const listed = await entriesOf(ledger, accountId);
  return {
    listed,
    found: await Promise.all(listed.map(({ id }) => ledger.findEntry(id))),
    balances: await ledger.balances(accountId, samplePeriod()),
    spent: await ledger.keySpent(accountId, { keyId: keyOf(accountId), at: sampleTime }),
    tokens: await ledger.tokensOn(accountId, FEBRUARY + DAY_MS),
    usage: [
      await ledger.sumUsage({ ...usage, accountId, by: 'day' }),
      await ledger.sumUsage({ ...usage, accountId, by: 'model' }),
    ],
    verified: await ledger.verifyAccount(accountId),
  };
}

const entriesOf = async (ledger: LedgerStore, accountId: string) =>
  (await everyPage(async (page) => (await ledger.listEntries({ accountId, ...page }))!, 3)).flat();

const allFaults = async (ledger: LedgerStore) => (await verifyLedger(ledger)).faults;

/** Describes tests of entries that are moved into compressed segments. */
export function describeLedgerArchive(test: StoreTest): void {
  test('archived entries are listed, found, summed and verified as before', async ({ store, reopen }) => {
    const { ledger } = store;
    await fill(ledger);
    const before = await factsOf(ledger);
    expect(before.listed.length).toBe(16);
    expect(await allFaults(ledger)).toEqual([]);
    const moved = await ledger.archiveEntries({ before: FEBRUARY });
    expect(moved).toMatchObject({ entries: 24, segments: 1 });
    expect(await factsOf(ledger)).toEqual(before);
    expect(await allFaults(ledger)).toEqual([]);
    const again = (await reopen()).ledger;
    expect(await factsOf(again)).toEqual(before);
    expect(await verifyLedger(again)).toEqual({ accounts: 3, entries: 48, faults: [], isComplete: true });
  });

  test('an archive moves only what is new', async ({ store: { ledger } }) => {
    await fill(ledger);
    const none = { entries: 0, segments: 0, bytes: 0 };
    expect(await ledger.archiveEntries({ before: sampleTime })).toEqual(none);
    expect(await ledger.archiveEntries({ before: FEBRUARY })).toMatchObject({ entries: 24 });
    expect(await ledger.archiveEntries({ before: FEBRUARY })).toEqual(none);
    const before = await factsOf(ledger);
    expect(await ledger.archiveEntries({ before: FEBRUARY + 28 * DAY_MS })).toMatchObject({ entries: 24 });
    expect(await factsOf(ledger)).toEqual(before);
    expect(await allFaults(ledger)).toEqual([]);
  });

  test('entries after an archive of everything continue every chain', async ({ store, reopen }) => {
    await fill(store.ledger);
    await store.ledger.archiveEntries({ before: FEBRUARY + 28 * DAY_MS });
    const { ledger } = await reopen();
    await ledger.give(sampleEntry({ id: 'ent_next', accountId: 'acct_2', microcredits: 1 }));
    const page = await ledger.listEntries({ accountId: 'acct_2', limit: 2 });
    expect(page?.items.map(({ sequence }) => sequence)).toEqual([17, 16]);
    expect(await allFaults(ledger)).toEqual([]);
    expect(await allFaults((await reopen()).ledger)).toEqual([]);
  });

  test('an archived entry is not written again', async ({ store: { ledger } }) => {
    await fill(ledger);
    const hold = await heldBy(ledger, { requestId: `req_acct_1_${sampleTime}_0`, accountId: 'acct_1' });
    await ledger.void(hold);
    await ledger.archiveEntries({ before: FEBRUARY });
    const before = await factsOf(ledger, 'acct_1');
    await ledger.replay([samplePosting({ order: hold.order, microcredits: 0 }, 10)]);
    const given = sampleEntry({ id: `ent_gift_acct_1_${sampleTime}_0`, microcredits: 500 });
    expect(await ledger.give(given)).toBe(true);
    expect(await factsOf(ledger, 'acct_1')).toEqual(before);
  });

  test('entries are read, written and verified while they are archived', async ({ store: { ledger } }) => {
    await fill(ledger);
    const before = await entriesOf(ledger, 'acct_2');
    const archived = ledger.archiveEntries({ before: FEBRUARY });
    expect(await ledger.archiveEntries({ before: FEBRUARY })).toBeUndefined();
    const extra = { accountId: 'acct_3', at: FEBRUARY + DAY_MS, microcredits: 1 };
    let isOver = false;
    void archived.finally(() => {
      isOver = true;
    });
    for (let number = 0; !isOver; number++) {
      await ledger.give(sampleEntry({ ...extra, id: `ent_extra_${number}` }));
      expect(await entriesOf(ledger, 'acct_2')).toEqual(before);
      expect((await ledger.verifyAccount('acct_3')).faults).toEqual([]);
    }
    expect(await archived).toMatchObject({ entries: 24 });
    expect(await allFaults(ledger)).toEqual([]);
  });
}
