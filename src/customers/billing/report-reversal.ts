import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { BillingParts } from './billing-parts.ts';
import type { ReversedObject } from './billing-record.ts';

export type Reversal = {
  step: ReversedObject['step'];
  objectId: string;
  payment: string | null;
  /** The account of the credit. It is null if the payment bought none. */
  accountId: string | null;
  wantedMicrocredits: number;
  /** The part that the balance covered. The rest is in the debt. */
  takenMicrocredits: number;
  /** The debt of the account afterwards. */
  debtMicrocredits: number;
};

function messageOf(reversal: Reversal): string {
  const { step, accountId, wantedMicrocredits, takenMicrocredits, debtMicrocredits } = reversal;
  if (accountId === null)
    return `There is a ${step} of a payment that bought no credit. No balance has changed.`;
  const taken = `${creditsOf(takenMicrocredits)} of ${creditsOf(wantedMicrocredits)} credits were taken`;
  const debt =
    debtMicrocredits > 0 ? ` The account has a debt of ${creditsOf(debtMicrocredits)} credits.` : '';
  return `There is a ${step} of a payment of account ${accountId}. ${taken} from its balance.${debt}`;
}

/** Reports a refund or a dispute to operators, with the part that the balance did not cover. */
export function reportReversal(
  { alerts, report }: Pick<BillingParts, 'alerts' | 'report'>,
  reversal: Reversal,
): void {
  const { step, objectId, payment, accountId } = reversal;
  const data = {
    account_id: accountId,
    [step]: objectId,
    payment,
    credits: creditsOf(reversal.wantedMicrocredits),
    credits_taken: creditsOf(reversal.takenMicrocredits),
    debt_credits: creditsOf(reversal.debtMicrocredits),
  };
  report('warn', 'payment-reversed', data);
  alerts.raise({ name: `payment_reversed ${objectId}`, until: null }, () => ({
    event: 'payment_reversed',
    message: messageOf(reversal),
    data,
  }));
}
