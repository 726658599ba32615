import { isoTime } from '../../base/lib/iso-time.ts';
import type { StripeInvoice } from '../../customers/billing/stripe/stripe-objects.ts';
import type { InvoicesView } from './invoices-view.ts';
import { mainUnits } from './main-units.ts';

/** Shows an invoice of Stripe. Its amounts are in the main unit of the currency. */
export const invoiceView = (invoice: StripeInvoice): InvoicesView['data'][number] => ({
  id: invoice.id,
  number: invoice.number,
  status: invoice.status,
  currency: invoice.currency,
  created_at: isoTime(invoice.created * 1_000),
  period_start: isoTime(invoice.period_start * 1_000),
  period_end: isoTime(invoice.period_end * 1_000),
  total: mainUnits(invoice.total, invoice.currency),
  lines: invoice.lines.data.map(({ description, amount }) => ({
    description: description ?? '',
    amount: mainUnits(amount, invoice.currency),
  })),
  url: httpsOnly(invoice.hosted_invoice_url),
  pdf_url: httpsOnly(invoice.invoice_pdf),
});

const httpsOnly = (url: string | null): string | null => (url?.startsWith('https://') ? url : null);
