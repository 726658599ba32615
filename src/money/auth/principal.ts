import type { Plan } from '../../settings/plans/plan.ts';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import type { Period } from '../ledger/period.ts';

/** Who is asking. */
export type Principal = {
  account: Account;
  apiKey: ApiKey;
  /** The account's plan with its own figures over the table's. */
  plan: Plan;
  /** The balance that the plan draws on now. */
  period: Period;
};
