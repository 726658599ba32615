import { openPortal } from '../../customers/billing/open-portal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type {
  CheckoutView,
  ConfirmedView,
  confirmOrder,
  PlanChangedView,
  planOrder,
  purchaseOrder,
} from './billing-order-schema.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';

/** Orders credit, which the browser pays for at Stripe. */
export async function purchaseCredit(
  { accountId, exchange, body }: OrganizationCall<WithBody<typeof purchaseOrder>>,
  { accounts, billing }: DashboardParts,
): Promise<CheckoutView> {
  const { usd, save_card: savesCard = false } = body;
  const account = accepted(await accounts.find(accountId));
  return accepted(await billing.purchases.purchase(account, { usd, savesCard }, returnAddress(exchange)));
}

/** Changes the plan, or orders the plan that the browser pays for at Stripe. */
export async function changePlan(
  { accountId, exchange, visitor, body }: OrganizationCall<WithBody<typeof planOrder>>,
  { accounts, billing }: DashboardParts,
): Promise<PlanChangedView> {
  const { plan, when = 'now' } = body;
  const account = accepted(await accounts.find(accountId));
  const order = { account, plan, when, origin: returnAddress(exchange), actor: visitor.email };
  const outcome = accepted(await billing.plans.change(order));
  return { url: outcome === 'changed' ? null : outcome.url };
}

/** Asks Stripe for the state of a checkout from which the browser returns. */
export async function confirmCheckout(
  { accountId, body }: OrganizationCall<WithBody<typeof confirmOrder>>,
  { billing }: DashboardParts,
): Promise<ConfirmedView> {
  return { state: accepted(await billing.checkouts.confirm(accountId, body.checkout_id)) };
}

/** Opens the page at Stripe where cards, invoices and the subscription are managed. */
export async function openBillingPortal(
  { accountId, exchange }: OrganizationCall,
  { billing }: DashboardParts,
): Promise<CheckoutView> {
  return accepted(await openPortal(billing.parts, accountId, returnAddress(exchange)));
}

/**
 * Returns the address to which Stripe sends the browser back. The origin of the browser can be trusted, since
 * `requireSameOrigin` has compared it with the addresses of this server.
 */
function returnAddress(exchange: Exchange): string {
  const address = publicUrl(exchange);
  const origin = exchange.request.headers.get('origin');
  return origin === null || new URL(address).origin === origin ? address : origin;
}
