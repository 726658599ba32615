import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord, CustomerBody } from './billing-record.ts';
import type { StripeCustomer } from './stripe/stripe-objects.ts';

export type CustomerRecord = BillingRecord<'customer'> & { reference: string };

const noSubscription: CustomerBody = {
  subscriptionId: null,
  status: null,
  plan: null,
  periodStart: null,
  graceUntil: null,
  isSuspended: false,
};

export const findCustomer = (
  { store }: Pick<BillingParts, 'store'>,
  accountId: string,
): Promise<BillingRecord<'customer'> | undefined> => store.findBilling('customer', accountId);

/** Returns the account's customer at Stripe, and makes it if there is none. Several nodes make one. */
export async function customerOf(parts: BillingParts, account: Account): Promise<CustomerRecord> {
  const existingCustomer = await findCustomer(parts, account.id);
  if (existingCustomer) return existingCustomer as CustomerRecord;
  const { id } = await parts.stripe.post<StripeCustomer>('/v1/customers', {
    fields: {
      name: account.name,
      ...(account.email !== null && { email: account.email }),
      metadata: { account_id: account.id },
    },
    key: `customer ${account.id}`,
  });
  await addCustomer(parts, account.id, id);
  return (await findCustomer(parts, account.id)) as CustomerRecord;
}

const addCustomer = ({ store, clock }: BillingParts, accountId: string, customerId: string) =>
  store.addBilling({
    kind: 'customer',
    id: accountId,
    accountId,
    reference: customerId,
    dueAt: null,
    createdAt: clock.now(),
    version: 1,
    body: noSubscription,
  });

/** Finds the customer of an object at Stripe. `accountId` comes from its metadata. */
export async function matchCustomer(
  parts: BillingParts,
  customerId: string,
  accountId: string | undefined,
): Promise<CustomerRecord | undefined> {
  const customer = await parts.store.findBillingByReference('customer', customerId);
  if (customer || !accountId) return customer as CustomerRecord | undefined;
  if ((await parts.accounts.find(accountId)) instanceof Refusal) return undefined;
  await addCustomer(parts, accountId, customerId);
  return (await findCustomer(parts, accountId)) as CustomerRecord | undefined;
}
