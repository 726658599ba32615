import {
  checkoutView,
  confirmedView,
  confirmOrder,
  planChangedView,
  planOrder,
  purchaseOrder,
} from './billing-order-schema.ts';
import { billingView } from './billing-schema.ts';
import { changePlan, confirmCheckout, openBillingPortal, purchaseCredit } from './change-billing.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { entriesQuery, entriesView, entryDetail } from './entry-schema.ts';
import { invoicesView } from './invoices-view.ts';
import { listInvoices } from './list-invoices.ts';
import { listEntries, showEntry } from './organization-entries.ts';
import { showBilling } from './show-billing.ts';

const BILLING = '/dashboard/v1/organizations/{account}/billing';

/** The plan, the credit and the payments of an organization. */
export const billingRoutes = [
  dashboardRoute({ method: 'GET', path: BILLING, access: 'viewer', answer: billingView }, showBilling),
  dashboardRoute(
    {
      method: 'POST',
      path: `${BILLING}/purchases`,
      access: 'owner',
      body: purchaseOrder,
      answer: checkoutView,
    },
    purchaseCredit,
  ),
  dashboardRoute(
    { method: 'POST', path: `${BILLING}/plan`, access: 'owner', body: planOrder, answer: planChangedView },
    changePlan,
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: `${BILLING}/confirm`,
      access: 'owner',
      body: confirmOrder,
      answer: confirmedView,
    },
    confirmCheckout,
  ),
  dashboardRoute(
    { method: 'POST', path: `${BILLING}/portal`, access: 'owner', answer: checkoutView },
    openBillingPortal,
  ),
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/entries`, access: 'viewer', query: entriesQuery, answer: entriesView },
    listEntries,
  ),
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/entries/{entry}`, access: 'viewer', answer: entryDetail },
    showEntry,
  ),
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/invoices`, access: 'viewer', answer: invoicesView },
    listInvoices,
  ),
];
