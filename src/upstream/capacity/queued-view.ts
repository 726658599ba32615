import type { QueuedRequest, Slotted } from './slot-claim.ts';
import type { Waiting } from './wait-list.ts';

/** Describes a queued request to operators. */
export function queuedView<P extends Slotted>(
  { claim, since, until }: Waiting<P>,
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
