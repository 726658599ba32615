import { builtinPlans } from '../../../settings/plans/plan.ts';
import { samplePeriod } from '../../../store/testing/conformance/sample-ledger.ts';
import { sampleAccount, sampleKey } from '../../../store/testing/conformance/sample-records.ts';
import type { Account } from '../../accounts/account.ts';
import type { ApiKey } from '../../accounts/api-key.ts';
import type { Principal } from '../principal.ts';

type PrincipalFields = { account?: Partial<Account>; apiKey?: Partial<ApiKey> };

/** Returns the caller of an account on its built-in plan, which is Pro unless it is given. */
export function samplePrincipal({ account: fields, apiKey }: PrincipalFields = {}): Principal {
  const account = sampleAccount({ id: 'acct_1', plan: 'pro', ...fields });
  const plan = builtinPlans.find(({ id }) => id === account.plan)!;
  return { account, apiKey: sampleKey(account.id, { id: 'key_1', ...apiKey }), plan, period: samplePeriod() };
}
