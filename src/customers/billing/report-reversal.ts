import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { BillingParts } from './billing-parts.ts';
import type { ReversedObject } from './billing-record.ts';

export type Reversal = {
  step: ReversedObject['step'];
  objectId: string;
  payment: string | null;
  accountId: string | null;
  wantedMicrocredits: number;
  /** The part that the balance covered. The rest is in the debt. */
  takenMicrocredits: number;
  /** The debt of the account afterwards. */
  debtMicrocredits: number;
};

/** Reports a refund or a dispute to operators, with the part that the balance did not cover. */
export function reportReversal(
  { alerts, report }: Pick<BillingParts, 'alerts' | 'report'>,
  reversal: Reversal,
): void {
  const {
    step,
    objectId,
    payment,
    accountId,
    wantedMicrocredits: wanted,
    takenMicrocredits: taken,
    debtMicrocredits: debt,
  } = reversal;
  const data = {
    account_id: accountId,
    [step]: objectId,
    payment,
    credits: creditsOf(wanted),
    credits_taken: creditsOf(taken),
    debt_credits: creditsOf(debt),
  };
  report('warn', 'payment-reversed', data);
  const whose = accountId === null ? 'that bought no credit' : `of account ${accountId}`;
  const owed = debt > 0 ? ` The account has a debt of ${creditsOf(debt)} credits.` : '';
  const part = `${creditsOf(taken)} of ${creditsOf(wanted)} credits were taken from its balance.${owed}`;
  alerts.raise({ name: `payment_reversed ${objectId}`, until: null }, () => ({
    event: 'payment_reversed',
    message: `There is a ${step} of a payment ${whose}. ${part}`,
    data,
  }));
}
