import type { Account } from '../../money/accounts/account.ts';
import type { CustomerBody } from './billing-record.ts';
import type { CustomerRecord } from './customers.ts';
import type { StripeSubscription } from './stripe/stripe-objects.ts';

/** A subscription with the account that it pays for. */
export type AccountSubscription = {
  customer: CustomerRecord;
  account: Account;
  subscription: StripeSubscription;
};

/** The change of the customer's record that follows from the state of the subscription. */
export type CustomerChange = { body: Partial<CustomerBody>; dueAt: number | null };

/** Returns the start of the subscription's current period, in milliseconds. */
export const periodStartOf = ({ current_period_start }: StripeSubscription): number =>
  current_period_start * 1_000;
