import type { ProviderSlots } from './provider-slots.ts';
import { byArrival, type QueuedClaim } from './queued-claim.ts';
import type { QueuedRequest, Slotted } from './slot-claim.ts';

/** Lists the requests that queue for these slots, the oldest first, as operators see them. */
export function queuedRequests<P extends Slotted>(
  everySlots: Iterable<ProviderSlots<QueuedClaim<P>>>,
  now: number,
): QueuedRequest[] {
  const positions = new Map<QueuedClaim<P>, number>();
  for (const slots of everySlots)
    for (const [index, waiter] of slots.inOrder().entries())
      positions.set(waiter, Math.min(index + 1, positions.get(waiter) ?? Number.POSITIVE_INFINITY));
  return [...positions]
    .toSorted(([one], [other]) => byArrival(one, other))
    .map(([waiter, position]) => queuedRequest(waiter, position, now));
}

function queuedRequest<P extends Slotted>(
  { claim, since, until }: QueuedClaim<P>,
  position: number,
  now: number,
): QueuedRequest {
  const { requestId, keyId, model, account, planClass, providers } = claim;
  return {
    requestId,
    keyId,
    model,
    account,
    planClass,
    position,
    providers: providers.map(({ id }) => id),
    waitedMs: now - since,
    leftMs: Math.max(0, until - now),
  };
}
