import { findCustomer } from '../../customers/billing/customers.ts';
import { statementMonths } from '../../customers/billing/statement-months.ts';
import { accepted } from '../routes/accepted.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { invoiceView } from './invoice-view.ts';
import type { InvoicesView } from './invoices-view.ts';
import { readInvoices } from './read-invoices.ts';

/** Lists the invoices of Stripe, and the months that have a statement of this server. */
export async function listInvoices(
  { accountId }: OrganizationCall,
  { accounts, billing: { parts } }: DashboardParts,
): Promise<InvoicesView> {
  const account = accepted(await accounts.find(accountId));
  const statements = statementMonths(account, parts.clock.now());
  const customer = parts.stripe.isReady ? await findCustomer(parts, accountId) : undefined;
  if (!customer) return { statements, data: [], is_incomplete: false };
  const { invoices, isIncomplete } = await readInvoices(parts.stripe, customer.reference);
  return { statements, data: invoices.map(invoiceView), is_incomplete: isIncomplete };
}
