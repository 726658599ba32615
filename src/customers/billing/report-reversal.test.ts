import { expect, test } from 'bun:test';
import type { BillingParts } from './billing-parts.ts';
import { type Reversal, reportReversal } from './report-reversal.ts';

const REFUND: Reversal = {
  step: 'refund',
  objectId: 're_1',
  payment: 'pi_1',
  accountId: 'acct_1',
  wantedMicrocredits: 10_000_000,
  takenMicrocredits: 4_000_000,
  debtMicrocredits: 6_000_000,
};

async function messageOf(reversal: Reversal): Promise<string | undefined> {
  let message: string | undefined;
  const raise: BillingParts['alerts']['raise'] = async (_, news) => {
    message = (await news()).message;
  };
  reportReversal({ alerts: { raise }, report: () => {} }, reversal);
  await Promise.resolve();
  return message;
}

test('the alert of a refund says what the balance covered', async () => {
  expect(await messageOf(REFUND)).toBe(
    'There is a refund of a payment of account acct_1. 4 of 10 credits were taken from its balance. The account has a debt of 6 credits.',
  );
});

test('the alert of a refund that concerns no credit names no credits', async () => {
  const nothing = { wantedMicrocredits: 0, takenMicrocredits: 0, debtMicrocredits: 0 };
  expect(await messageOf({ ...REFUND, accountId: null, ...nothing })).toBe(
    'There is a refund of a payment that bought no credit. No balance has changed.',
  );
});
