import type { Plans } from '../../settings/plans/plan.ts';
import type { Account } from '../accounts/account.ts';
import { accountFigures } from '../accounts/plan-terms.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Period, periodOf } from './period.ts';

/** Returns the account's current period, and opens it in the ledger if it is new. */
export async function currentPeriod(ledger: LedgerStore, account: Account, plans: Plans): Promise<Period> {
  const period = periodOf(account, accountFigures(account, plans));
  // A store that cannot be written must not block reads.
  await ledger.openPeriod(account.id, period).catch(() => {});
  return period;
}
