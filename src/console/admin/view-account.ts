import type { Account } from '../../money/accounts/account.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import { type AccountView, accountView } from './account-view.ts';

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
