import type { Capacity } from '../capacity.ts';
import type { SlotClaim, Slotted, Waiter, WaitOutcome } from '../slot-claim.ts';

/** Takes a free slot for a request, or else queues it. */
export function waitForSlot<P extends Slotted>(
  capacity: Capacity<P>,
  claim: SlotClaim<P>,
  onOutcome: (outcome: WaitOutcome<P>) => void,
): Waiter | undefined {
  const { providers, account, planClass } = claim;
  const free = providers.find((provider) => capacity.tryTake(provider, account, planClass));
  if (!free) return capacity.join(claim, onOutcome);
  onOutcome({ kind: 'slot', provider: free, waitedMs: 0 });
  return undefined;
}
