import type { FormValue } from './form-fields.ts';
import type { StripeClient } from './stripe-client.ts';
import type { StripeList } from './stripe-objects.ts';

/** Stripe returns at most this many objects at a time. */
const PAGE_SIZE = 100;

/** Lists all objects that match the fields, page by page. */
export async function* listObjects<Item extends { id: string }>(
  stripe: Pick<StripeClient, 'get'>,
  path: string,
  fields: Readonly<Record<string, FormValue>>,
): AsyncGenerator<Item> {
  let after: string | undefined;
  do {
    const query = { ...fields, limit: PAGE_SIZE, starting_after: after };
    const page = await stripe.get<StripeList<Item>>(path, query);
    yield* page.data;
    after = page.has_more ? page.data.at(-1)?.id : undefined;
  } while (after !== undefined);
}
