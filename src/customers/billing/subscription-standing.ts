import type { CustomerBody } from './billing-record.ts';

/** `late`: a renewal has failed. `over`: the subscription pays no more. */
export type Standing = 'paid' | 'late' | 'over';

/** The standing by Stripe's status. A subscription with any other status has not begun. */
const standings: ReadonlyMap<string, Standing> = new Map([
  ['active', 'paid'],
  ['trialing', 'paid'],
  ['past_due', 'late'],
  ['unpaid', 'late'],
  ['canceled', 'over'],
  ['incomplete_expired', 'over'],
  ['paused', 'over'],
]);

/** Returns the standing of a subscription, or undefined if it has not begun. */
export const standingOf = (status: string): Standing | undefined => standings.get(status);

/** Returns the id of the subscription that a plan change applies to. */
export function liveSubscriptionId({ subscriptionId, status }: CustomerBody): string | undefined {
  const standing = status === null ? undefined : standingOf(status);
  if (subscriptionId === null || (standing !== 'paid' && standing !== 'late')) return undefined;
  return subscriptionId;
}

/** Reports whether there is a subscription that a plan change applies to. */
export const isLive = (body: CustomerBody): boolean => liveSubscriptionId(body) !== undefined;
