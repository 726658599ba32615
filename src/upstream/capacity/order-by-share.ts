type Claimed = { readonly claim: { readonly account: string } };

/**
 * Orders requests for free slots by the slots that their account has before them: those that it holds where
 * they queue, and one for each of its earlier requests. The requests are in the order of arrival, which stays
 * among equals.
 */
export function orderByShare<T extends Claimed>(
  requests: readonly T[],
  heldFor: (request: T) => number,
): T[] {
  const next = new Map<string, number>();
  const ranked = requests.map((request) => {
    const { account } = request.claim;
    const rank = Math.max(next.get(account) ?? 0, heldFor(request));
    next.set(account, rank + 1);
    return { request, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ request }) => request);
}
