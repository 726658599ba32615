import { creditsView } from '../../api/usage/credits-view.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { BillingParts } from '../../customers/billing/billing-parts.ts';
import type { BillingRecord } from '../../customers/billing/billing-record.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import { findCustomer } from '../../customers/billing/customers.ts';
import { isLive } from '../../customers/billing/follow-subscription.ts';
import type { MoneyLine } from '../../customers/billing/money-lines.ts';
import { spentIn } from '../../customers/billing/reload-settings.ts';
import { savedMethod } from '../../customers/billing/saved-method.ts';
import type { StripeInvoice } from '../../customers/billing/stripe/stripe-objects.ts';
import { upgradePrice } from '../../customers/billing/upgrade-price.ts';
import type { Account } from '../../money/accounts/account.ts';
import { priceOf } from '../../money/accounts/plan-terms.ts';
import { cycleEndsAt, hasCycle } from '../../money/accounts/roll-cycle.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import type { WrittenEntry } from '../../money/ledger/entry.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import { balanceOf } from '../../money/ledger/period.ts';
import type { Plan, PlanId } from '../../settings/plans/plan.ts';
import type { BillingPlanRow, BillingView, EntriesView, InvoicesView, ReloadView } from './billing-schema.ts';

/** The packs that the page offers, as far as the bounds allow them. */
const PACKS_USD = [5, 20, 50];

export async function viewBilling({ parts }: BillingService, account: Account): Promise<BillingView> {
  const { ledger, stripe, config } = parts;
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

/** The more expensive plans that can be paid for, with the sum that is charged now. A change at the renewal charges nothing now. */
function upgradesOf(
  parts: BillingParts,
  account: Account,
  customer: BillingRecord<'customer'> | undefined,
): BillingView['upgrades'] {
  const plans = parts.plans();
  return Object.values(plans)
    .filter((plan) => plan.id !== 'free' && plan.rank > plans[account.plan].rank)
    .filter((plan) => ['now', 'checkout'].includes(changeTo(parts, account, plan, customer) ?? ''))
    .map(({ id }) => ({
      plan: id,
      charge_now_usd: upgradePrice(parts, { account, plan: id, customer }),
      renews_at: isoTimeOrNull(cycleEndsAt(account)),
    }))
    .sort((one, other) => one.charge_now_usd - other.charge_now_usd);
}

const subscriptionView = ({ body }: BillingRecord<'customer'>): BillingView['subscription'] =>
  isLive(body) ? { status: body.status!, grace_until: isoTimeOrNull(body.graceUntil) } : null;

/** The plans that are open, and the account's own. */
function offeredPlans(
  parts: BillingParts,
  account: Account,
  customer: BillingRecord<'customer'> | undefined,
): BillingPlanRow[] {
  const all = Object.values(parts.plans()).sort((one, other) => one.rank - other.rank);
  return all
    .filter(({ id, buyable }) => buyable || id === account.plan)
    .map((plan) => ({
      id: plan.id,
      name: plan.displayName,
      price_usd_per_month: plan.priceUsd,
      credits: plan.id === 'payg' ? 0 : plan.credits,
      requests_per_min: plan.requestsPerMinute,
      concurrent: plan.concurrent,
      tokens_per_min: plan.tokensPerMinute,
      is_current: plan.id === account.plan,
      change: changeTo(parts, account, plan, customer),
    }));
}

function changeTo(
  parts: BillingParts,
  account: Account,
  plan: Plan,
  customer: BillingRecord<'customer'> | undefined,
): BillingPlanRow['change'] {
  if (plan.id === account.plan || !plan.buyable) return null;
  if (account.plan === 'enterprise' || account.status !== 'active') return null;
  if (plan.rank < parts.plans()[account.plan].rank) return hasCycle(account.plan) ? 'renewal' : 'now';
  if (plan.id === 'free') return 'now';
  const prices: Partial<Record<PlanId, string | null>> = parts.config().billing.stripe?.prices ?? {};
  if (prices[plan.id] == null) return null;
  return customer && isLive(customer.body) ? 'now' : 'checkout';
}

export const lineView = (line: MoneyLine): EntriesView['data'][number] => {
  const after = {
    purchased_credits_after: creditsOf(Math.max(0, line.purchasedMicrocredits)),
    debt_credits_after: creditsOf(Math.max(0, -line.purchasedMicrocredits)),
  };
  if (line.kind === 'usage') {
    const { balance, from, to, requests, microcredits } = line;
    return {
      id: null,
      kind: 'usage',
      balance,
      from: isoTime(from),
      to: isoTime(to),
      requests,
      reason: null,
      credits: -creditsOf(microcredits),
      ...after,
    };
  }
  const { id, kind, at, period, microcredits, reason } = line.entry;
  return {
    id,
    kind,
    balance: balanceOf(period),
    from: isoTime(at),
    to: isoTime(at),
    requests: null,
    reason,
    credits: creditsOf(microcredits),
    ...after,
  };
};

export const entryDetailView = (entry: WrittenEntry) => ({
  id: entry.id,
  at: isoTime(entry.at),
  kind: entry.kind,
  balance: balanceOf(entry.period),
  credits: creditsOf(entry.kind === 'usage' ? -entry.microcredits : entry.microcredits),
  reason: entry.reason,
  sequence: entry.sequence,
  hash: entry.hash,
});

export const invoiceView = (invoice: StripeInvoice): InvoicesView['data'][number] => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  currency: invoice.currency,
  created_at: isoTime(invoice.created * 1_000),
  period_start: isoTime(invoice.period_start * 1_000),
  period_end: isoTime(invoice.period_end * 1_000),
  total: invoice.total / 100,
  lines: invoice.lines.data.map(({ description, amount }) => ({
    description: description ?? '',
    amount: amount / 100,
  })),
  url: webAddress(invoice.hosted_invoice_url),
  pdf_url: webAddress(invoice.invoice_pdf),
});

const webAddress = (address: string | null): string | null =>
  address?.startsWith('https://') ? address : null;

export async function viewReload(
  { parts }: BillingService,
  { id, body }: BillingRecord<'reload'>,
): Promise<ReloadView> {
  return {
    is_on: body.isOn,
    threshold_credits: body.thresholdCredits,
    amount_usd: body.amountCents / 100,
    ceiling_usd_per_month: body.ceilingCents / 100,
    spent_usd_this_month: spentIn(body, parts.clock.now()) / 100,
    is_paying: body.attempt !== null,
    error: body.error,
    card: await cardOf(parts, id),
  };
}

async function cardOf(parts: BillingParts, accountId: string): Promise<ReloadView['card']> {
  if (!parts.stripe.isReady) return null;
  const customer = await findCustomer(parts, accountId);
  if (!customer) return null;
  const method = await savedMethod(parts.stripe, customer.reference!).catch(() => undefined);
  return method?.card ? { brand: method.card.brand, last4: method.card.last4 } : null;
}

/** Refuses an entry of another account like one that does not exist. */
export const ownEntry = (entry: WrittenEntry | undefined, accountId: string): WrittenEntry | Refusal =>
  entry?.accountId === accountId
    ? entry
    : new Refusal('not_found', { message: 'This organization has no entry with this id.' });
