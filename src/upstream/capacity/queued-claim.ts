import type { QueueEntry } from './fair-queue.ts';
import type { ListNode } from './linked-list.ts';
import type { ProviderSlots } from './provider-slots.ts';
import type { SlotClaim, Slotted, Waiter, WaitOutcome } from './slot-claim.ts';

/** The place of a queued request in the queue for one provider. */
type QueuePlace<P extends Slotted> = {
  provider: P;
  slots: ProviderSlots<QueuedClaim<P>>;
  entry: QueueEntry<QueuedClaim<P>>;
};

/** A queued request with its places in the queues. */
export type QueuedClaim<P extends Slotted> = Waiter & {
  readonly claim: SlotClaim<P>;
  readonly since: number;
  readonly until: number;
  /** The order of arrival in the queue. */
  readonly order: number;
  readonly onOutcome: (outcome: WaitOutcome<P>) => void;
  readonly places: QueuePlace<P>[];
  /**
   * The place in the list of its class, which is ordered by the ends of the waits. Undefined once the request
   * has left the queue.
   */
  turn: ListNode<QueuedClaim<P>> | undefined;
};

type Arrival = { readonly since: number; readonly order: number };

/** Compares queued requests by their arrival. A request that queued before keeps its first time. */
export const byArrival = (one: Arrival, other: Arrival): number =>
  one.since - other.since || one.order - other.order;
