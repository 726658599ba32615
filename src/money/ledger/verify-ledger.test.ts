import { expect, test } from 'bun:test';
import { faultCount } from './fault-count.ts';
import type { LedgerFault } from './ledger-fault.ts';
import { verifyLedger } from './verify-ledger.ts';

const IDS = ['acct_a', 'acct_b', 'acct_c'];

/** Returns a ledger whose accounts have one entry and these numbers of faults. */
function ledgerWith(faults: Readonly<Record<string, number>>, ofStore = 0) {
  const list = (accountId: string | null, count: number): LedgerFault[] =>
    Array.from({ length: count }, () => ({ accountId, what: 'hash', recorded: 'a', recomputed: 'b' }));
  return {
    ledgerAccounts: async () => IDS,
    lastEntry: () => IDS.length,
    verifyAccount: async (id: string) => ({ entries: 1, counted: 1, faults: list(id, faults[id] ?? 0) }),
    verifyStore: async () => list(null, ofStore),
  };
}

test('a ledger with few faults is verified as a whole', async () => {
  const verified = await verifyLedger(ledgerWith({ acct_b: 2 }, 1));
  expect(verified).toMatchObject({ accounts: 3, entries: 3, isComplete: true });
  expect(verified.faults.map(({ accountId }) => accountId)).toEqual(['acct_b', 'acct_b', null]);
});

test.each([
  ['one account', { acct_a: 5_000 }, 0, 1],
  ['two accounts', { acct_a: 600, acct_b: 600, acct_c: 600 }, 0, 2],
  ['the store', { acct_a: 999 }, 5, 3],
])('no more than 1,000 faults of %s are reported', async (_, faults, ofStore, accounts) => {
  const verified = await verifyLedger(ledgerWith(faults, ofStore));
  expect({
    accounts: verified.accounts,
    entries: verified.entries,
    faultCount: verified.faults.length,
  }).toEqual({ accounts, entries: accounts, faultCount: 1_000 });
  expect(verified.isComplete).toBe(false);
  expect(faultCount(verified)).toBe('at least 1,000 faults');
});

test('a verification that finds exactly 1,000 faults in the last place is complete', async () => {
  const verified = await verifyLedger(ledgerWith({ acct_a: 999 }, 1));
  expect(verified.isComplete).toBe(true);
  expect(faultCount(verified)).toBe('1,000 faults');
});
