import { candidatesOf, type SlotClaim, type Slotted } from './slot-claim.ts';

type Claimed<P extends Slotted> = { readonly claim: SlotClaim<P> };

/**
 * Orders queued requests for free slots. Requests of accounts with fewer slots go first. The slots of an
 * account are those that it holds at the request's targets, and one for each of its earlier requests that can
 * take one there. Requests with equal counts stay in the order of arrival.
 */
export function orderByShare<P extends Slotted, T extends Claimed<P>>(
  requests: readonly T[],
  heldFor: (request: T) => number,
): T[] {
  /** The slots before the next request, by account and provider. */
  const claimedSlots = new Map<string, Map<string, number>>();
  const ranked = requests.map((request) => {
    const { account } = request.claim;
    const candidates = candidatesOf(request.claim);
    const ofAccount = claimedSlots.get(account) ?? new Map<string, number>();
    claimedSlots.set(account, ofAccount);
    const rank = Math.max(heldFor(request), ...candidates.map(({ id }) => ofAccount.get(id) ?? 0));
    for (const { id } of candidates) ofAccount.set(id, rank + 1);
    return { request, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ request }) => request);
}
