import { isoTime } from '../../base/lib/iso-time.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { BillingParts } from './billing-parts.ts';

type Reporter = Pick<BillingParts, 'alerts' | 'report'>;

const problems = {
  'no-account': 'A payment names an account that does not exist. Refund it, or grant the credit.',
  'not-followed': 'A message about a payment cannot be processed. It is retried every hour.',
  'not-processed': 'A message about a payment was refused by Stripe and is not retried.',
  'two-subscriptions': 'An account has two active subscriptions. Cancel one of them at Stripe.',
  'unknown-price': 'A subscription has a price that the configuration does not name.',
  currency:
    'A payment has a different currency from its price. It changes no credit. Refund it, or grant the credit.',
  amount: 'A payment has an amount that is not possible. It changes no credit. Look at it at Stripe.',
  'account-closed': 'A subscription of a closed account is still active. Cancel it at Stripe.',
} as const;
export type PaymentProblem = keyof typeof problems;

type ReportedProblem = { problem: PaymentProblem; accountId?: string | null; [fact: string]: unknown };

/** Reports a payment that needs an operator. Each object at Stripe is reported once for each problem. */
export function reportProblem(
  { alerts, report }: Reporter,
  { problem, accountId = null, ...facts }: ReportedProblem,
): void {
  report('error', 'payment-problem', { problem, account_id: accountId, ...facts });
  const name = `payment_problem ${problem} ${JSON.stringify(facts)}`;
  alerts.raise({ name, until: null }, () => ({
    event: 'payment_problem',
    message: problems[problem],
    data: { problem, account_id: accountId, ...facts },
  }));
}

export type Reversal = {
  step: 'refund' | 'dispute';
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
export function reportReversal({ alerts, report }: Reporter, reversal: Reversal): void {
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

export type Grace = { accountId: string; subscriptionId: string; periodStart: number; until: number };

/** Reports a failed renewal to operators and to the organization. */
export function reportGrace(
  { alerts }: Reporter,
  { accountId, subscriptionId, periodStart, until }: Grace,
): void {
  const name = `renewal_failed ${subscriptionId} ${periodStart}`;
  alerts.raise({ name, until: null }, () => ({
    event: 'payment_problem',
    message: `The renewal of the plan of account ${accountId} has failed. The plan continues until ${isoTime(until)}.`,
    data: { problem: 'renewal-failed', account_id: accountId, grace_until: isoTime(until) },
    organization: accountId,
  }));
}
