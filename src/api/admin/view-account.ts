import type { Account } from '../../money/accounts/account.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { type Period, periodOf } from '../../money/ledger/period.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import { type AccountView, accountView } from './account-view.ts';

/** Returns the account's current period, and opens it in the ledger if it is new. */
export async function currentPeriod(ledger: LedgerStore, account: Account, plans: Plans): Promise<Period> {
  const period = periodOf(account, accountFigures(account, plans));
  // A store that cannot be written must not block reads.
  await ledger.openPeriod(account.id, period).catch(() => {});
  return period;
}

/** The sources of account data outside the account itself. */
export type AccountSources = { ledger: LedgerStore; stored: StoredBytes };

export async function viewAccount(
  { ledger, stored }: AccountSources,
  account: Account,
  plans: Plans,
): Promise<AccountView> {
  const period = await currentPeriod(ledger, account, plans);
  const balances = await ledger.balances(account.id, period);
  const storedBytes = await stored.storedBytes(account.id);
  const quarantine = await ledger.quarantineOf(account.id);
  return accountView(account, plans, { balances, quarantine, storedBytes });
}
