import type { Clock } from '../../base/lib/clock.ts';
import type { Percentiles } from '../../base/lib/latency-window.ts';
import { orderByShare } from './order-by-share.ts';
import { type PlanClass, planClasses } from './plan-class.ts';
import type { ProviderSlots, SlotShare } from './provider-slots.ts';
import type { QueuedClaim } from './queued-claim.ts';
import { queuedRequests } from './queued-requests.ts';
import { SlotBook, slotLimitOf } from './slot-book.ts';
import type { NoSlotReason, QueuedRequest, SlotClaim, Slotted, Waiter } from './slot-claim.ts';
import { type CapacityBounds, WaitList } from './wait-list.ts';

const MIN_RETRY_AFTER_MS = 1_000;

/**
 * Manages the slots at providers and the queue for them. Paid requests go before Free, and both before
 * batches. Within a class, a free slot goes to an account below its share of the provider's slots. Held slots
 * are not taken back. If the queue is full, the youngest request of the last class makes way for a higher
 * class. A flood of Free requests therefore blocks no other class. The class has no timer: call `expire()` at
 * `nextExpiry`.
 */
export class Capacity<P extends Slotted = Slotted> {
  readonly #clock: Clock;
  readonly #book = new SlotBook<P, QueuedClaim<P>>();
  readonly #waiting: WaitList<P>;
  /** Learns that a class of requests begins or ceases to queue for a provider. */
  onWaiting: ((providerId: string) => void) | undefined;
  #arrivals = 0;
  /** The share of freed slots that Free gets, from the configuration of the latest queued request. */
  #freeShare = 0;

  constructor(clock: Clock, bounds?: CapacityBounds) {
    this.#clock = clock;
    this.#waiting = new WaitList(bounds);
  }

  /** Applies these limits from now on, also to requests that still hold an older snapshot. */
  follow(providers: Iterable<P>): void {
    for (const provider of providers) {
      const slots = this.#book.slotsOf(provider);
      slots.limit = slotLimitOf(provider);
      this.#serve(slots);
    }
  }

  /**
   * Bounds the slots of one provider that this process may use. Held slots are not taken back. Without a
   * share there is no bound.
   */
  setShare(providerId: string, share: SlotShare | undefined): void {
    const slots = this.#book.setShare(providerId, share);
    if (slots) this.#serve(slots);
  }

  /**
   * Lets all queued requests choose again, class by class, after the choice of providers has changed. The
   * accounts with the fewest slots go first.
   */
  reconsider(): void {
    const waiters = planClasses.flatMap((planClass) =>
      orderByShare(this.#waiting.byArrival(planClass), ({ claim }) => this.#book.heldAtCandidates(claim)),
    );
    for (const waiter of waiters) this.#remove(waiter);
    for (const { onOutcome } of waiters) onOutcome({ kind: 'changed' });
  }

  /** Reports whether the provider serves a model for which requests queue, even if they queue elsewhere. */
  mayServeQueued({ id }: P): boolean {
    return this.#waiting.hasCandidate(id);
  }

  hasFreeSlot(provider: P, planClass: PlanClass): boolean {
    return this.#book.slotsOf(provider).hasFreeSlotFor(planClass);
  }

  /** Takes a slot for an account if one is free. The caller must return it once with `release()`. */
  tryTake(provider: P, account: string, planClass: PlanClass): boolean {
    const slots = this.#book.slotsOf(provider);
    if (!slots.hasFreeSlotFor(planClass)) return false;
    slots.take(account);
    return true;
  }

  /** Returns a slot, and gives it to the next queued request. */
  release(provider: P, account: string): void {
    const slots = this.#book.slotsOf(provider);
    slots.giveBack(account, this.#clock.now());
    this.#serve(slots);
  }

  /**
   * Queues a request for a slot, even if one is free. Returns undefined if the request was refused at once
   * and `onOutcome` was called with the reason.
   */
  join(claim: SlotClaim<P>, onOutcome: QueuedClaim<P>['onOutcome']): Waiter | undefined {
    const reason = claim.since === undefined ? this.#makeRoom(claim) : undefined;
    if (!reason) return this.#enqueue(claim, onOutcome);
    onOutcome({ kind: 'no-slot', reason, waitedMs: 0, retryAfterMs: this.#retryAfterMs(claim) });
    return undefined;
  }

  /** Refuses the requests that have waited too long. */
  expire(): void {
    const now = this.#clock.now();
    for (const planClass of planClasses)
      for (;;) {
        const first = this.#waiting.first(planClass);
        if (!first || first.until > now) break;
        this.#turnAway(first, 'expired');
      }
  }

  /** The time at which the next queued request expires. Undefined if the queue is empty. */
  get nextExpiry(): number | undefined {
    return this.#waiting.nextExpiry;
  }

  /** The number of queued requests. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Returns the number of queued requests of a class. */
  waiting(planClass: PlanClass): number {
    return this.#waiting.sizeOf(planClass);
  }

  /** Estimates the wait of another request of that account. It is infinite if nothing is known. */
  likelyWaitMs(provider: P, planClass: PlanClass, account: string): number {
    return this.#book.likelyWaitMs(provider, planClass, account);
  }

  /** Lists the queued requests, the oldest first. The list is for operators, since it walks all queues. */
  queued(): QueuedRequest[] {
    return queuedRequests(this.#book.everySlots(), this.#clock.now());
  }

  /**
   * Returns the number of requests that queue for one provider. A request with several suitable providers
   * counts at each of them.
   */
  waitingFor(providerId: string, planClass: PlanClass): number {
    return this.#book.find(providerId)?.waiting(planClass) ?? 0;
  }

  /**
   * Returns the latest wait times of requests that were served at this provider after a wait. Returns null if
   * there were none.
   */
  waitsAt(providerId: string, planClass: PlanClass): Percentiles | null {
    return this.#book.find(providerId)?.waits.get(planClass)?.percentiles() ?? null;
  }

  /** Returns the number of taken slots of a provider. */
  inUse(providerId: string): number {
    return this.#book.find(providerId)?.inUse ?? 0;
  }

  /** The wait so far of the request that expires first: the oldest one if all have one limit. */
  oldestWaitMs(planClass: PlanClass): number {
    const first = this.#waiting.first(planClass);
    return first ? this.#clock.now() - first.since : 0;
  }

  /** Gives the free slots of a provider to the requests that queue for them. */
  #serve(slots: ProviderSlots<QueuedClaim<P>>): void {
    while (slots.isAwaited) {
      const waiter = slots.next(this.#freeShare);
      if (!waiter) return;
      const place = waiter.places.find((candidate) => candidate.slots === slots)!; // it queues for these slots
      this.#remove(waiter, slots);
      slots.take(waiter.claim.account);
      const waitedMs = this.#clock.now() - waiter.since;
      slots.hasWaited(waiter.claim.planClass, waitedMs);
      waiter.onOutcome({ kind: 'slot', provider: place.provider, waitedMs });
    }
  }

  #enqueue(claim: SlotClaim<P>, onOutcome: QueuedClaim<P>['onOutcome']): Waiter {
    const since = claim.since ?? this.#clock.now();
    const waiter: QueuedClaim<P> = {
      claim,
      since,
      until: since + claim.maxWaitMs,
      order: ++this.#arrivals,
      onOutcome,
      places: [],
      turn: undefined,
      leave: () => this.#remove(waiter),
    };
    this.#freeShare = claim.freeShare;
    this.#waiting.add(waiter);
    for (const provider of claim.providers) {
      const slots = this.#book.slotsOf(provider);
      waiter.places.push({ provider, slots, entry: slots.join(claim.planClass, claim.account, waiter) });
      if (slots.waiting(claim.planClass) === 1) this.onWaiting?.(provider.id);
    }
    return waiter;
  }

  #remove(waiter: QueuedClaim<P>, servedFrom?: ProviderSlots<QueuedClaim<P>>): void {
    if (!this.#waiting.remove(waiter)) return;
    const { planClass } = waiter.claim;
    for (const { provider, slots, entry } of waiter.places) {
      slots.leave(planClass, entry, slots === servedFrom ? 'served' : 'gave-up');
      if (slots.waiting(planClass) === 0) this.onWaiting?.(provider.id);
    }
  }

  #turnAway(waiter: QueuedClaim<P>, reason: NoSlotReason): void {
    this.#remove(waiter);
    const waitedMs = this.#clock.now() - waiter.since;
    waiter.onOutcome({ kind: 'no-slot', reason, waitedMs, retryAfterMs: this.#retryAfterMs(waiter.claim) });
  }

  /**
   * Makes room for a request in a full queue, by displacing requests of later classes. Returns the reason if
   * the request cannot queue.
   */
  #makeRoom(claim: SlotClaim<P>): NoSlotReason | undefined {
    if (this.#book.shortestWaitMs(claim) > claim.maxWaitMs) return 'hopeless';
    while (!this.#waiting.fits(claim)) {
      const youngest = this.#waiting.youngestBehind(claim.planClass);
      if (!youngest) return 'full';
      this.#turnAway(youngest, 'displaced');
    }
    return undefined;
  }

  /** Returns the time after which the same request would find a queue that is short enough. */
  #retryAfterMs(claim: SlotClaim<P>): number {
    return Math.max(MIN_RETRY_AFTER_MS, this.#book.shortestWaitMs(claim) - claim.maxWaitMs);
  }
}
