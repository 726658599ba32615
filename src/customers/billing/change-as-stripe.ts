import { acceptedOrError } from '../../base/errors/accepted-or-error.ts';
import type { Account } from '../../money/accounts/account.ts';
import type { AccountChange } from '../../money/accounts/accounts.ts';
import { type BillingParts, STRIPE } from './billing-parts.ts';

/** Changes the account in the name of Stripe. A refusal ends the work, which is tried again. */
export async function changeAsStripe(
  { accounts }: BillingParts,
  { id }: Account,
  change: AccountChange,
): Promise<void> {
  acceptedOrError(await accounts.change(id, change, STRIPE));
}
