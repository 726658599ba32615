import { Refusal } from '../../base/errors/refusal.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import { findCustomer } from '../../customers/billing/customers.ts';
import { listMoney } from '../../customers/billing/list-money.ts';
import { openPortal } from '../../customers/billing/open-portal.ts';
import { statementMonths } from '../../customers/billing/statement-months.ts';
import { undefinedIfStripeFails } from '../../customers/billing/stripe/stripe-failure.ts';
import type { StripeInvoice, StripeList } from '../../customers/billing/stripe/stripe-objects.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { Account } from '../../money/accounts/account.ts';
import { currentPeriod } from '../../money/ledger/current-period.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import {
  billingView,
  confirmedView,
  confirmOrder,
  leavingView,
  planChangedView,
  planOrder,
  purchaseOrder,
} from './billing-schema.ts';
import { billingSettingRoutes } from './billing-setting-routes.ts';
import { viewBilling } from './billing-view.ts';
import { confirmAddressRoute } from './confirm-address-route.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { entriesQuery, entriesView, entryDetail } from './entry-schema.ts';
import { entryDetailView, lineView } from './entry-views.ts';
import { type InvoicesView, invoicesView, invoiceView } from './invoice-view.ts';
import { statementRoutes } from './statement-routes.ts';

/**
 * A busy account has many usage entries between two others, so a page reads as many as it can in the time.
 */
const MAX_PER_PAGE = { entries: 50_000, lines: 50, ms: 150 };
/** Stripe returns at most this many at a time. */
const MAX_INVOICES = 100;
const PATH = '/dashboard/v1/organizations/{account}/billing';

/** The plan, the credit and the payments of an organization. */
export const billingRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'viewer', answer: billingView },
    ({ accountId }, { billing }) =>
      withAccount(billing, accountId, (account) => viewBilling(billing, account)),
  ),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/purchases`, access: 'owner', body: purchaseOrder, answer: leavingView },
    ({ accountId, exchange, body: { usd, save_card = false } }, { billing }) =>
      withAccount(billing, accountId, (account) =>
        billing.purchases.purchase(account, { usd, savesCard: save_card }, dashboardUrl(exchange)),
      ),
  ),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/plan`, access: 'owner', body: planOrder, answer: planChangedView },
    ({ accountId, exchange, visitor, body: { plan, when = 'now' } }, { billing }) =>
      withAccount(billing, accountId, (account) => {
        const order = { account, plan, when, origin: dashboardUrl(exchange), actor: visitor.email };
        return unlessRefused(billing.plans.change(order), (changed) => ({
          url: changed === 'changed' ? null : changed.url,
        }));
      }),
  ),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/confirm`, access: 'owner', body: confirmOrder, answer: confirmedView },
    ({ accountId, body }, { billing }) =>
      unlessRefused(billing.checkouts.confirm(accountId, body.checkout_id), (state) => ({ state })),
  ),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/portal`, access: 'owner', answer: leavingView },
    ({ accountId, exchange }, { billing }) => openPortal(billing.parts, accountId, dashboardUrl(exchange)),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/entries`, access: 'viewer', query: entriesQuery, answer: entriesView },
    ({ accountId, query: { after, purchased } }, { billing }) =>
      withAccount(billing, accountId, async (account) => {
        const balance = await purchasedOf(billing, account);
        const purchasedMicrocredits = purchased === undefined ? balance : Number(purchased);
        const question = { accountId, purchasedMicrocredits, after, limit: MAX_PER_PAGE };
        const { lines, next } = await listMoney(billing.parts.ledger, question);
        return {
          data: lines.map(lineView),
          next: next && { after: next.after, purchased: String(next.purchasedMicrocredits) },
        };
      }),
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/entries/{entry}`, access: 'viewer', answer: entryDetail },
    async ({ accountId, params }, { billing }) => {
      const entry = await billing.parts.ledger.findEntry(params.entry);
      return entry?.accountId === accountId ? entryDetailView(entry) : noEntry();
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/invoices`, access: 'viewer', answer: invoicesView },
    ({ accountId }, { billing }) =>
      withAccount(billing, accountId, (account) => viewInvoices(billing, account)),
  ),
  ...billingSettingRoutes,
  confirmAddressRoute,
  ...statementRoutes,
];

/** Returns the balance of purchased credit. It is negative while there is a debt. */
async function purchasedOf({ parts }: BillingService, account: Account): Promise<number> {
  const period = await currentPeriod(parts.ledger, account, parts.plans());
  return (await parts.ledger.balances(account.id, period)).netPurchasedMicrocredits;
}

async function viewInvoices({ parts }: BillingService, account: Account): Promise<InvoicesView> {
  const statements = statementMonths(account, parts.clock.now());
  const customer = parts.stripe.isReady ? await findCustomer(parts, account.id) : undefined;
  if (!customer) return { statements, data: [], is_incomplete: false };
  const query = { customer: customer.reference, limit: MAX_INVOICES };
  const found = await parts.stripe
    .get<StripeList<StripeInvoice>>('/v1/invoices', query)
    .catch(undefinedIfStripeFails);
  return { statements, data: (found?.data ?? []).map(invoiceView), is_incomplete: found === undefined };
}

/** Finds an account, and returns the answer that is made of it. */
const withAccount = <Answer>(
  { parts }: BillingService,
  accountId: string,
  answer: (account: Account) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> => unlessRefused(parts.accounts.find(accountId), answer);

const noEntry = (): Refusal =>
  new Refusal('not_found', { message: 'This organization has no entry with this id.' });

/**
 * Returns the address to which Stripe sends the browser back.
 * `requireSameOrigin` has compared it with the host of the request.
 */
function dashboardUrl(exchange: Exchange): string {
  const origin = exchange.request.headers.get('origin')!;
  const url = publicUrl(exchange);
  return new URL(url).origin === origin ? url : origin;
}
