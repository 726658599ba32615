import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { BillingParts } from './billing-parts.ts';
import type { PaymentReversal } from './read-reversal.ts';

/** The credit that a reversal has taken from an account. */
export type TakenCredit = {
  /** `null` means that the payment bought no credit. */
  accountId: string | null;
  wantedMicrocredits: number;
  /** The part that the balance covered. The rest is in the debt. */
  takenMicrocredits: number;
  /** The debt of the account afterwards. */
  debtMicrocredits: number;
};

const NOTHING_TAKEN: TakenCredit = {
  accountId: null,
  wantedMicrocredits: 0,
  takenMicrocredits: 0,
  debtMicrocredits: 0,
};

/** Reports a refund or a dispute to operators, with the part that the balance did not cover. */
export function reportReversal(
  { alerts, report }: Pick<BillingParts, 'alerts' | 'report'>,
  { step, id, paymentId }: PaymentReversal,
  taken = NOTHING_TAKEN,
): void {
  const data = {
    account_id: taken.accountId,
    [step]: id,
    payment: paymentId,
    credits: creditsOf(taken.wantedMicrocredits),
    credits_taken: creditsOf(taken.takenMicrocredits),
    debt_credits: creditsOf(taken.debtMicrocredits),
  };
  report('warn', 'payment-reversed', data);
  alerts.raise({ name: `payment_reversed ${id}`, until: null }, () => ({
    event: 'payment_reversed',
    message: messageOf(step, taken),
    data,
  }));
}

function messageOf(step: PaymentReversal['step'], taken: TakenCredit): string {
  const { accountId, wantedMicrocredits, takenMicrocredits, debtMicrocredits } = taken;
  if (accountId === null)
    return `There is a ${step} of a payment that bought no credit. No balance has changed.`;
  const part = `${creditsOf(takenMicrocredits)} of ${creditsOf(wantedMicrocredits)} credits were taken`;
  const debt =
    debtMicrocredits > 0 ? ` The account has a debt of ${creditsOf(debtMicrocredits)} credits.` : '';
  return `There is a ${step} of a payment of account ${accountId}. ${part} from its balance.${debt}`;
}
