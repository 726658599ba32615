import type { Account } from '../../money/accounts/account.ts';
import { accountFigures } from '../../money/accounts/plan-terms.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import { type Period, periodOf } from '../../money/ledger/period.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { Plans } from '../../settings/plans/plans.ts';
import { type AccountView, accountView } from './account-view.ts';

/** The balance that the account's plan draws on now, written down if nobody has noticed yet that it has begun. */
export async function currentPeriod(ledger: LedgerStore, account: Account, plans: Plans): Promise<Period> {
  const period = periodOf(account, accountFigures(account, plans));
  // A store that cannot be written must not keep anybody from looking.
  await ledger.openPeriod(account.id, period).catch(() => {});
  return period;
}

/** What is known of accounts beside themselves. */
export type AccountSources = { ledger: LedgerStore; stored: StoredBytes };

export async function viewAccount(
  { ledger, stored }: AccountSources,
  account: Account,
  plans: Plans,
): Promise<AccountView> {
  const period = await currentPeriod(ledger, account, plans);
  const balances = await ledger.balances(account.id, period);
  const storedBytes = await stored.storedBytes(account.id);
  return accountView(account, plans, { balances, quarantine: ledger.quarantineOf(account.id), storedBytes });
}
