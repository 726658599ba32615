import type { Static } from 'typebox';
import { isoTime } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { StripeInvoice } from '../../customers/billing/stripe/stripe-objects.ts';
import { usdOfCents } from '../../money/ledger/cents.ts';

/** `GET …/billing/invoices` */
export const invoicesView = Type.Object({
  /** The months with a statement of this server, newest first. */
  statements: Type.Array(Type.String()),
  /** The invoices of Stripe, newest first. */
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      number: orNull(Type.String()),
      status: orNull(Type.String()),
      created_at: Type.String(),
      period_start: Type.String(),
      period_end: Type.String(),
      currency: Type.String(),
      total: Type.Number(),
      lines: Type.Array(Type.Object({ description: Type.String(), amount: Type.Number() })),
      url: orNull(Type.String()),
      pdf_url: orNull(Type.String()),
    }),
  ),
  /** Stripe could not be asked. */
  is_incomplete: Type.Boolean(),
});
export type InvoicesView = Static<typeof invoicesView>;

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
