import type { BillingParts } from './billing-parts.ts';

/** The messages for operators, by the problem that logs and alerts name. */
const problems = {
  'no-account': 'A payment names an account that does not exist. Refund it, or grant the credit.',
  'not-followed': 'A message about a payment cannot be processed. It is retried every hour.',
  'not-processed':
    'A message about a payment was refused by Stripe and is not retried. Have Stripe send it again.',
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
  { alerts, report }: Pick<BillingParts, 'alerts' | 'report'>,
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
