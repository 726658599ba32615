import { Refusal } from '../../base/errors/refusal.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord, CustomerBody } from './billing-record.ts';
import { newRecord } from './new-record.ts';
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

const isCustomer = (record: BillingRecord<'customer'> | undefined): record is CustomerRecord =>
  typeof record?.reference === 'string';

/** Finds the account's customer at Stripe. */
export async function findCustomer(
  { store }: BillingParts,
  accountId: string,
): Promise<CustomerRecord | undefined> {
  const record = await store.findBilling('customer', accountId);
  return isCustomer(record) ? record : undefined;
}

/** Returns the account's customer at Stripe. A new customer is made once, even if several nodes need it. */
export async function customerOf(parts: BillingParts, account: Account): Promise<CustomerRecord> {
  const existingCustomer = await findCustomer(parts, account.id);
  if (existingCustomer) return existingCustomer;
  const { id } = await parts.stripe.post<StripeCustomer>('/v1/customers', {
    fields: {
      name: account.name,
      ...(account.email !== null && { email: account.email }),
      metadata: { account_id: account.id },
    },
    key: `customer ${account.id}`,
  });
  return addCustomer(parts, account.id, id);
}

/** Stores a customer. Returns the stored one, which another node may have added. */
async function addCustomer(
  parts: BillingParts,
  accountId: string,
  customerId: string,
): Promise<CustomerRecord> {
  const { store, clock } = parts;
  await store.addBilling(
    newRecord({
      kind: 'customer',
      id: accountId,
      accountId,
      reference: customerId,
      createdAt: clock.now(),
      body: noSubscription,
    }),
  );
  const customer = await findCustomer(parts, accountId);
  if (!customer) throw new Error(`The customer of the account ${accountId} is not stored.`);
  return customer;
}

/** Finds the customer of an object at Stripe. `accountId` comes from its metadata. */
export async function matchCustomer(
  parts: BillingParts,
  customerId: string,
  accountId: string | undefined,
): Promise<CustomerRecord | undefined> {
  const customer = await parts.store.findBillingByReference('customer', customerId);
  if (isCustomer(customer)) return customer;
  if (!accountId || (await parts.accounts.find(accountId)) instanceof Refusal) return undefined;
  return addCustomer(parts, accountId, customerId);
}
