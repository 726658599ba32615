import { candidatesOf, type SlotClaim, type Slotted } from './slot-claim.ts';

type Claimed<P extends Slotted> = { readonly claim: SlotClaim<P> };

/**
 * Orders requests for free slots by the slots that their account has before them: those that it holds at
 * their targets, and one for each of its earlier requests that may go there too. The requests are in the
 * order of arrival, which stays among equals.
 */
export function orderByShare<P extends Slotted, T extends Claimed<P>>(
  requests: readonly T[],
  heldFor: (request: T) => number,
): T[] {
  /** The slots before the next request of an account at a provider. */
  const before = new Map<string, Map<string, number>>();
  const ranked = requests.map((request) => {
    const { account } = request.claim;
    const candidates = candidatesOf(request.claim);
    const slotsBefore = before.get(account) ?? new Map<string, number>();
    before.set(account, slotsBefore);
    const rank = Math.max(heldFor(request), ...candidates.map(({ id }) => slotsBefore.get(id) ?? 0));
    for (const { id } of candidates) slotsBefore.set(id, rank + 1);
    return { request, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ request }) => request);
}
