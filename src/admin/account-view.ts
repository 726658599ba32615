import type { Account } from '../accounts/account.ts';
import { accountFigures, priceOf } from '../accounts/plan-terms.ts';
import { cycleEndsAt } from '../accounts/roll-cycle.ts';
import type { AccountBalances, Quarantine } from '../ledger/ledger-store.ts';
import { creditsOf } from '../ledger/microcredits.ts';
import { periodOf } from '../ledger/period.ts';
import { quarantineView } from '../ledger/verification-view.ts';
import { isoTime, isoTimeOrNull } from '../lib/iso-time.ts';
import { storedView } from '../limits/stored-bytes.ts';
import { rowOfFigures } from '../plans/build-plans.ts';
import type { Plans } from '../plans/plans.ts';
import { creditsView } from '../usage/credits-view.ts';

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
  credits: creditsView(periodOf(account, accountFigures(account, plans)).limitMicrocredits, balances),
  purchased_credits: creditsOf(balances.purchasedMicrocredits),
  stored: storedView(storedBytes, accountFigures(account, plans).storedMb),
  ...(quarantine && { ledger_fault: quarantineView(quarantine) }),
});

export type AccountView = ReturnType<typeof accountView>;
