import type { StripeClient } from '../../customers/billing/stripe/stripe-client.ts';
import { undefinedIfStripeFails } from '../../customers/billing/stripe/stripe-failure.ts';
import type { StripeInvoice, StripeList } from '../../customers/billing/stripe/stripe-objects.ts';

/** The largest page that Stripe returns. */
const PAGE_SIZE = 100;
/** A customer with more invoices sees the newest ones, and finds the others in Stripe's portal. */
const MAX_PAGES = 10;

/** Reads the invoices of a customer, newest first, until there are too many or Stripe fails. */
export async function readInvoices(
  stripe: Pick<StripeClient, 'get'>,
  customer: string,
): Promise<{ invoices: StripeInvoice[]; isIncomplete: boolean }> {
  const invoices: StripeInvoice[] = [];
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const last = invoices.at(-1);
    const page = await stripe
      .get<StripeList<StripeInvoice>>('/v1/invoices', {
        customer,
        limit: PAGE_SIZE,
        ...(last && { starting_after: last.id }),
      })
      .catch(undefinedIfStripeFails);
    if (!page) break;
    invoices.push(...page.data);
    if (!page.has_more || page.data.length === 0) return { invoices, isIncomplete: false };
  }
  return { invoices, isIncomplete: true };
}
