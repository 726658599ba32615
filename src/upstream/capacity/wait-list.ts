import { LinkedList } from './linked-list.ts';
import { type PlanClass, planClasses } from './plan-class.ts';
import { byArrival, type QueuedClaim } from './queued-claim.ts';
import { candidatesOf, type SlotClaim, type Slotted } from './slot-claim.ts';

/** The most requests that queue, and the most memory that they hold. */
export type CapacityBounds = { maxWaiting: number; maxWaitingBytes: number };

/** A queued request costs a connection and its body. 10,000 small requests hold about 100 MB. */
const BOUNDS: CapacityBounds = { maxWaiting: 10_000, maxWaitingBytes: 256 * 1024 * 1024 };

/** Lists all queued requests by class, in the order in which their waits end, and counts their memory. */
export class WaitList<P extends Slotted> {
  readonly #bounds: CapacityBounds;
  readonly #byEnd: Record<PlanClass, LinkedList<QueuedClaim<P>>> = {
    paid: new LinkedList(),
    free: new LinkedList(),
    batch: new LinkedList(),
    flex: new LinkedList(),
  };
  /** The number of queued requests that each provider may serve. */
  readonly #byCandidate = new Map<string, number>();
  #bytes = 0;

  constructor(bounds: CapacityBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  get size(): number {
    return planClasses.reduce((sum, planClass) => sum + this.#byEnd[planClass].size, 0);
  }

  sizeOf(planClass: PlanClass): number {
    return this.#byEnd[planClass].size;
  }

  /** Returns the request of a class that expires first. */
  first(planClass: PlanClass): QueuedClaim<P> | undefined {
    return this.#byEnd[planClass].first;
  }

  /** Returns the requests of a class in the order of arrival. */
  byArrival(planClass: PlanClass): QueuedClaim<P>[] {
    return [...this.#byEnd[planClass]].sort(byArrival);
  }

  /** The time at which the next queued request expires. Undefined if the list is empty. */
  get nextExpiry(): number | undefined {
    let next: number | undefined;
    for (const planClass of planClasses) {
      const until = this.#byEnd[planClass].first?.until;
      if (until !== undefined && (next === undefined || until < next)) next = until;
    }
    return next;
  }

  /** Reports whether a queued request has this provider among its candidates. */
  hasCandidate(providerId: string): boolean {
    return this.#byCandidate.has(providerId);
  }

  /** Reports whether another request may queue. */
  fits({ bytes }: SlotClaim<P>): boolean {
    const count = this.size;
    // A single request larger than the whole limit may queue alone.
    return (
      count < this.#bounds.maxWaiting && (count === 0 || this.#bytes + bytes <= this.#bounds.maxWaitingBytes)
    );
  }

  /** Returns the youngest request of the last class after the given class. */
  youngestBehind(planClass: PlanClass): QueuedClaim<P> | undefined {
    const behind = planClasses.slice(planClasses.indexOf(planClass) + 1);
    const last = behind.findLast((other) => this.#byEnd[other].size > 0);
    return last && this.#byEnd[last].last;
  }

  add(waiter: QueuedClaim<P>): void {
    const { planClass, bytes } = waiter.claim;
    waiter.turn = this.#byEnd[planClass].insert(waiter, ({ until }) => until > waiter.until);
    this.#bytes += bytes;
    for (const { id } of candidatesOf(waiter.claim))
      this.#byCandidate.set(id, (this.#byCandidate.get(id) ?? 0) + 1);
  }

  /** Removes a request. Returns false if it is not in the list. */
  remove(waiter: QueuedClaim<P>): boolean {
    if (!waiter.turn) return false;
    const { planClass, bytes } = waiter.claim;
    this.#byEnd[planClass].remove(waiter.turn);
    waiter.turn = undefined;
    this.#bytes -= bytes;
    for (const { id } of candidatesOf(waiter.claim)) {
      const left = this.#byCandidate.get(id)! - 1;
      if (left > 0) this.#byCandidate.set(id, left);
      else this.#byCandidate.delete(id);
    }
    return true;
  }
}
