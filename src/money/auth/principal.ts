import type { Plan } from '../../settings/plans/plan.ts';
import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import type { Period } from '../ledger/period.ts';

/** The account, key and plan behind a request. */
export type Principal = {
  account: Account;
  apiKey: ApiKey;
  /** The plan with the account's own figures applied. */
  plan: Plan;
  /** The balance that the plan draws on now. */
  period: Period;
};
