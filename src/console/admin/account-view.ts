import { creditsView } from '../../api/usage/credits-view.ts';
import { storedSchema } from '../../api/usage/usage-description.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { Account } from '../../money/accounts/account.ts';
import { accountFigures, priceOf } from '../../money/accounts/plan-terms.ts';
import { cycleEndsAt } from '../../money/accounts/roll-cycle.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { periodOf } from '../../money/ledger/period.ts';
import { quarantineView } from '../../money/ledger/verification-view.ts';
import { storedView } from '../../money/limits/stored-bytes.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { type Plans, planIds } from '../../settings/plans/plan.ts';
import { rowOfFigures } from '../../settings/plans/plan-figures.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { AdminParts } from './admin-parts.ts';

const text = Type.String();
const plan = Type.Enum(planIds);

/** An account with its balances. */
export const account = Type.Object(
  {
    id: text,
    name: text,
    email: orNull(text),
    email_verified: Type.Boolean(),
    plan,
    pending_plan: orNull(plan, 'The plan of a pending downgrade, which applies at the next renewal.'),
    status: Type.Enum(['active', 'suspended', 'closed']),
    price_usd_per_month: orNull(Type.Number(), '`null` means that the price is by arrangement.'),
    plan_overrides: orNull(
      Type.Partial(Type.Object(planFigureSchemas)),
      'Values of the account that override those of its plan.',
    ),
    cycle_started_at: time,
    cycle_ends_at: orNull(time, '`null` means that the credits do not renew.'),
    credits: Type.Object(
      {
        limit: orNull(Type.Number()),
        used: Type.Number(),
        remaining: orNull(Type.Number()),
        resets_at: Type.Optional(time),
      },
      {
        description:
          'The credits of this cycle. `null` means no limit. While a renewal is past due, `limit` is the sum of the grants so far, and `resets_at` is the time of the next one.',
      },
    ),
    purchased_credits: Type.Number({
      description: 'The balance of purchased credit. 0 while there is a debt.',
    }),
    debt_credits: Type.Number({
      description:
        'The amount that reversed payments have taken beyond the purchased credit. Purchases pay it first.',
    }),
    stored: storedSchema,
    hosted_tools_stopped: Type.Optional(
      Type.Boolean({
        description:
          'True while hosted tools are stopped because of shortfalls. An operator clears the stop.',
      }),
    ),
    ledger_fault: Type.Optional(
      Type.Object(
        { since: time, reason: text },
        { description: 'The reason why the account is in quarantine and not served.' },
      ),
    ),
  },
  { title: 'Account' },
);
export type AccountView = ViewOf<typeof account>;

/** Reads the balances of an account and shows it. */
export async function accountView(
  { ledger, stored }: Pick<AdminParts, 'ledger' | 'stored'>,
  account: Account,
  plans: Plans,
): Promise<AccountView> {
  const balances = await ledger.balances(account.id, await currentPeriod(ledger, account, plans));
  const storedBytes = await stored.storedBytes(account.id);
  const quarantine = await ledger.quarantineOf(account.id);
  const figures = accountFigures(account, plans);
  return {
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
    credits: creditsView(periodOf(account, figures), balances),
    purchased_credits: creditsOf(balances.purchasedMicrocredits),
    debt_credits: creditsOf(balances.debtMicrocredits),
    stored: storedView(storedBytes, figures.storedMb),
    ...(account.hostedToolsStopped && { hosted_tools_stopped: true }),
    ...(quarantine && { ledger_fault: quarantineView(quarantine) }),
  };
}
