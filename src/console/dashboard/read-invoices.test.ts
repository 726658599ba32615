import { expect, test } from 'bun:test';
import type { StripeClient } from '../../customers/billing/stripe/stripe-client.ts';
import { StripeFailure } from '../../customers/billing/stripe/stripe-failure.ts';
import { readInvoices } from './read-invoices.ts';

/** Returns Stripe with this many invoices. It fails once it has returned `working` pages. */
function stripeWith(count: number, working = Number.POSITIVE_INFINITY): Pick<StripeClient, 'get'> {
  const ids = Array.from({ length: count }, (_, index) => `in_${count - index}`);
  let pages = 0;
  const get = async (_path: string, fields: Record<string, unknown>): Promise<unknown> => {
    pages += 1;
    if (pages > working) throw new StripeFailure({ status: 503, message: 'away' });
    const start = ids.indexOf(String(fields['starting_after'])) + 1;
    const end = start + Number(fields['limit']);
    return { data: ids.slice(start, end).map((id) => ({ id })), has_more: end < ids.length };
  };
  return { get: get as StripeClient['get'] };
}

async function read(stripe: Pick<StripeClient, 'get'>) {
  const { invoices, isIncomplete } = await readInvoices(stripe, 'cus_1');
  return { count: new Set(invoices.map(({ id }) => id)).size, newest: invoices[0]?.id, isIncomplete };
}

test('a customer with more than a page of invoices gets all of them', async () => {
  expect(await read(stripeWith(101))).toEqual({ count: 101, newest: 'in_101', isIncomplete: false });
  expect(await read(stripeWith(200))).toEqual({ count: 200, newest: 'in_200', isIncomplete: false });
});

test('a list that ends early is marked as incomplete', async () => {
  expect(await read(stripeWith(1_001))).toEqual({ count: 1_000, newest: 'in_1001', isIncomplete: true });
  expect(await read(stripeWith(150, 1))).toEqual({ count: 100, newest: 'in_150', isIncomplete: true });
  expect(await read(stripeWith(5, 0))).toEqual({ count: 0, newest: undefined, isIncomplete: true });
});
