import { listObjects } from '../../customers/billing/stripe/list-objects.ts';
import type { StripeClient } from '../../customers/billing/stripe/stripe-client.ts';
import { undefinedIfStripeFails } from '../../customers/billing/stripe/stripe-failure.ts';
import type { StripeInvoice } from '../../customers/billing/stripe/stripe-objects.ts';

/** A customer with more invoices sees the newest ones, and finds the others in Stripe's portal. */
const MAX_INVOICES = 1_000;

/** Reads the invoices of a customer, newest first, until there are too many or Stripe fails. */
export async function readInvoices(
  stripe: Pick<StripeClient, 'get'>,
  customer: string,
): Promise<{ invoices: StripeInvoice[]; isIncomplete: boolean }> {
  const invoices: StripeInvoice[] = [];
  try {
    for await (const invoice of listObjects<StripeInvoice>(stripe, '/v1/invoices', { customer })) {
      if (invoices.length === MAX_INVOICES) return { invoices, isIncomplete: true };
      invoices.push(invoice);
    }
    return { invoices, isIncomplete: false };
  } catch (error) {
    undefinedIfStripeFails(error);
    return { invoices, isIncomplete: true };
  }
}
