import { creditsView } from '../../api/usage/credits-view.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { Account } from '../../money/accounts/account.ts';
import { accountFigures, priceOf } from '../../money/accounts/plan-terms.ts';
import { cycleEndsAt } from '../../money/accounts/roll-cycle.ts';
import type { AccountBalances, Quarantine } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { periodOf } from '../../money/ledger/period.ts';
import { quarantineView } from '../../money/ledger/verification-view.ts';
import { storedView } from '../../money/limits/stored-bytes.ts';
import { rowOfFigures } from '../../settings/plans/build-plans.ts';
import type { Plans } from '../../settings/plans/plans.ts';

type Kept = { balances: AccountBalances; quarantine: Quarantine | undefined; storedBytes: number };

export const accountView = (account: Account, plans: Plans, { balances, quarantine, storedBytes }: Kept) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  email_verified: account.emailVerified,
  plan: account.plan,
  pending_plan: account.pendingPlan,
  status: account.status,
  price_usd_per_month: priceOf(account, plans),
  plan_overrides: account.planOverrides && rowOfFigures(account.planOverrides),
  cycle_started_at: isoTime(account.cycleStartedAt),
  cycle_ends_at: isoTimeOrNull(cycleEndsAt(account)),
  credits: creditsView(periodOf(account, accountFigures(account, plans)), balances),
  purchased_credits: creditsOf(balances.purchasedMicrocredits),
  debt_credits: creditsOf(balances.debtMicrocredits),
  stored: storedView(storedBytes, accountFigures(account, plans).storedMb),
  ...(account.hostedToolsStopped && { hosted_tools_stopped: true }),
  ...(quarantine && { ledger_fault: quarantineView(quarantine) }),
});

export type AccountView = ReturnType<typeof accountView>;
