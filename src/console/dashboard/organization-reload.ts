import type { BillingParts } from '../../customers/billing/billing-parts.ts';
import type { BillingRecord } from '../../customers/billing/billing-record.ts';
import { findCustomer } from '../../customers/billing/customers.ts';
import { savedMethod } from '../../customers/billing/saved-method.ts';
import { spentInMonth } from '../../customers/billing/spent-in-month.ts';
import { undefinedIfStripeFails } from '../../customers/billing/stripe/stripe-failure.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import type { ReloadView, reloadOrder } from './reload-schema.ts';

/** Shows the automatic purchases of an organization. */
export const showReload = async (
  { accountId }: OrganizationCall,
  { billing: { parts, reloads } }: DashboardParts,
): Promise<ReloadView> => viewReload(parts, await reloads.find(accountId));

/** Sets the automatic purchases of an organization. */
export const saveReload = async (
  { accountId, visitor, body }: OrganizationCall<WithBody<typeof reloadOrder>>,
  { billing: { parts, reloads } }: DashboardParts,
): Promise<ReloadView> => viewReload(parts, accepted(await reloads.save(accountId, body, visitor.email)));

async function viewReload(parts: BillingParts, { id, body }: BillingRecord<'reload'>): Promise<ReloadView> {
  return {
    is_on: body.isOn,
    threshold_credits: body.thresholdCredits,
    amount_usd: usdOfCents(body.amountCents),
    ceiling_usd_per_month: usdOfCents(body.ceilingCents),
    spent_usd_this_month: usdOfCents(spentInMonth(body, parts.clock.now())),
    is_paying: body.attempt !== null,
    error: body.error,
    card: await cardOf(parts, id),
  };
}

/** Returns the card that pays. The settings are shown without it while Stripe cannot be reached. */
async function cardOf(parts: BillingParts, accountId: string): Promise<ReloadView['card']> {
  if (!parts.stripe.isReady) return null;
  const customer = await findCustomer(parts, accountId);
  if (!customer) return null;
  const method = await savedMethod(parts.stripe, customer.reference).catch(undefinedIfStripeFails);
  return method?.card ? { brand: method.card.brand, last4: method.card.last4 } : null;
}
