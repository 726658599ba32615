import { expect, test } from 'bun:test';
import type { BillingParts } from './billing-parts.ts';
import type { PaymentReversal } from './read-reversal.ts';
import { reportReversal, type TakenCredit } from './report-reversal.ts';

const REFUND: PaymentReversal = {
  step: 'refund',
  id: 're_1',
  paymentId: 'pi_1',
  cents: 2_000,
  currency: 'usd',
  isOver: false,
};

async function messageOf(taken?: TakenCredit): Promise<string | undefined> {
  let message: string | undefined;
  const raise: BillingParts['alerts']['raise'] = async (_, news) => {
    message = (await news()).message;
  };
  reportReversal({ alerts: { raise }, report: () => {} }, REFUND, taken);
  await Promise.resolve();
  return message;
}

test('the alert of a refund says what the balance covered', async () => {
  const taken = {
    accountId: 'acct_1',
    wantedMicrocredits: 10_000_000,
    takenMicrocredits: 4_000_000,
    debtMicrocredits: 6_000_000,
  };
  expect(await messageOf(taken)).toBe(
    'There is a refund of a payment of account acct_1. 4 of 10 credits were taken from its balance. The account has a debt of 6 credits.',
  );
});

test('the alert of a refund that concerns no credit names no credits', async () => {
  expect(await messageOf()).toBe(
    'There is a refund of a payment that bought no credit. No balance has changed.',
  );
});
