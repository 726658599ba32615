import { creditsView } from '../../api/usage/credits-view.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { BillingRecord } from '../../customers/billing/billing-record.ts';
import { findCustomer } from '../../customers/billing/customers.ts';
import { isLive } from '../../customers/billing/subscription-standing.ts';
import { priceOf } from '../../money/accounts/plan-terms.ts';
import { cycleEndsAt } from '../../money/accounts/roll-cycle.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { accepted } from '../routes/accepted.ts';
import type { BillingView } from './billing-schema.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { offeredPlans, upgradesOf } from './plan-offers.ts';

/** The packs that the page offers, as far as the bounds allow them. */
const PACKS_USD = [5, 20, 50];

/** Shows the plan and the credit of an organization, with the plans that it can choose. */
export async function showBilling(
  { accountId }: OrganizationCall,
  { accounts, ledger, billing: { parts } }: DashboardParts,
): Promise<BillingView> {
  const { stripe, config } = parts;
  const account = accepted(await accounts.find(accountId));
  const plans = parts.plans();
  const period = await currentPeriod(ledger, account, plans);
  const balances = await ledger.balances(account.id, period);
  const customer = stripe.isReady ? await findCustomer(parts, account.id) : undefined;
  const { min_usd, max_usd } = config().purchases;
  return {
    payments: stripe.isReady ? 'stripe' : 'operator',
    status: account.status,
    plan: account.plan,
    plan_name: plans[account.plan].displayName,
    pending_plan: account.pendingPlan,
    price_usd_per_month: priceOf(account, plans),
    cycle_started_at: isoTime(account.cycleStartedAt),
    renews_at: isoTimeOrNull(cycleEndsAt(account)),
    monthly: creditsView(period, balances),
    purchased_credits: creditsOf(balances.purchasedMicrocredits),
    debt_credits: creditsOf(balances.debtMicrocredits),
    purchases: {
      min_usd,
      max_usd,
      packs_usd: PACKS_USD.filter((usd) => usd >= min_usd && usd <= max_usd),
    },
    subscription: customer ? subscriptionView(customer) : null,
    has_portal: customer !== undefined,
    plans: offeredPlans(parts, account, customer),
    upgrades: upgradesOf(parts, account, customer),
  };
}

/** Shows the subscription that pays for the plan. A subscription that is live has a status. */
const subscriptionView = ({ body }: BillingRecord<'customer'>): BillingView['subscription'] =>
  isLive(body) ? { status: body.status!, grace_until: isoTimeOrNull(body.graceUntil) } : null;
