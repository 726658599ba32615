import { isoTime } from '../../base/lib/iso-time.ts';
import type { StripeInvoice } from '../../customers/billing/stripe/stripe-objects.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';
import type { InvoicesView } from './invoice-schema.ts';

/** Shows an invoice of Stripe. Its amounts are in the main unit of the currency. */
export const invoiceView = (invoice: StripeInvoice): InvoicesView['data'][number] => ({
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
