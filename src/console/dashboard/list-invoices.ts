import { isoTime } from '../../base/lib/iso-time.ts';
import { findCustomer } from '../../customers/billing/customers.ts';
import { statementMonths } from '../../customers/billing/statement-months.ts';
import { undefinedIfStripeFails } from '../../customers/billing/stripe/stripe-failure.ts';
import type { StripeInvoice, StripeList } from '../../customers/billing/stripe/stripe-objects.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import type { InvoicesView } from './invoices-view.ts';

/** Stripe returns at most this many at a time. */
const MAX_INVOICES = 100;

/** Lists the statements of this server and the invoices of Stripe. */
export async function listInvoices(
  { accountId }: OrganizationCall,
  { accounts, billing: { parts } }: DashboardParts,
): Promise<InvoicesView> {
  const account = accepted(await accounts.find(accountId));
  const statements = statementMonths(account, parts.clock.now());
  const customer = parts.stripe.isReady ? await findCustomer(parts, accountId) : undefined;
  if (!customer) return { statements, data: [], is_incomplete: false };
  const query = { customer: customer.reference, limit: MAX_INVOICES };
  const invoices = await parts.stripe
    .get<StripeList<StripeInvoice>>('/v1/invoices', query)
    .catch(undefinedIfStripeFails);
  return { statements, data: (invoices?.data ?? []).map(invoiceView), is_incomplete: !invoices };
}

/** Shows an invoice of Stripe. Its amounts are in the main unit of the currency. */
const invoiceView = (invoice: StripeInvoice): InvoicesView['data'][number] => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  currency: invoice.currency,
  created_at: isoTime(invoice.created * 1_000),
  period_start: isoTime(invoice.period_start * 1_000),
  period_end: isoTime(invoice.period_end * 1_000),
  total: usdOfCents(invoice.total),
  lines: invoice.lines.data.map(({ description, amount }) => ({
    description: description ?? '',
    amount: usdOfCents(amount),
  })),
  url: webAddress(invoice.hosted_invoice_url),
  pdf_url: webAddress(invoice.invoice_pdf),
});

const webAddress = (address: string | null): string | null =>
  address?.startsWith('https://') ? address : null;
