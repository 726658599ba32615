import type { Clock } from '../../base/lib/clock.ts';
import type { Percentiles } from '../../base/lib/latency-window.ts';
import { orderByShare } from './order-by-share.ts';
import { type PlanClass, planClasses } from './plan-class.ts';
import { ProviderSlots, type SlotShare } from './provider-slots.ts';
import { queuedView } from './queued-view.ts';
import {
  candidatesOf,
  type NoSlotReason,
  type QueuedRequest,
  type SlotClaim,
  type Slotted,
  type Waiter,
  type WaitOutcome,
} from './slot-claim.ts';
import { type CapacityBounds, type Waiting, WaitList } from './wait-list.ts';

const MIN_RETRY_AFTER_MS = 1_000;

const limitOf = ({ maxConcurrent }: Slotted): number => maxConcurrent ?? Number.POSITIVE_INFINITY;

/**
 * Manages the slots at providers and the queue for them. Paid requests go before Free, and both before
 * batches. Within a class, a free slot goes to an account below its share of the provider's slots. Held slots
 * are not taken back. If the queue is full, the youngest request of the last class makes way for a higher
 * class. A flood of Free requests therefore blocks no other class.
 * The class has no timer: call `expire()` at `nextExpiry`.
 */
export class Capacity<P extends Slotted = Slotted> {
  readonly #clock: Clock;
  readonly #providers = new Map<string, ProviderSlots<Waiting<P>>>();
  readonly #waiting: WaitList<P>;
  /** Shares of providers whose slots other processes use too. */
  readonly #shares = new Map<string, SlotShare>();
  /** Is called when a class of requests begins or ceases to queue for a provider. */
  onWaiting: ((providerId: string) => void) | undefined;
  #arrivals = 0;
  /** The value from the configuration of the latest queued request. */
  #freeShare = 0;

  constructor(clock: Clock, bounds?: CapacityBounds) {
    this.#clock = clock;
    this.#waiting = new WaitList(bounds);
  }

  /** Applies these limits from now on, also to requests that still hold an older snapshot. */
  follow(providers: Iterable<P>): void {
    for (const provider of providers) {
      const slots = this.#slotsOf(provider);
      slots.limit = limitOf(provider);
      this.#serve(slots);
    }
  }

  /**
   * Bounds the slots of one provider that this process may use. Held slots are not taken back.
   * Without a number there is no bound.
   */
  setShare(providerId: string, share: SlotShare | undefined): void {
    if (share) this.#shares.set(providerId, share);
    else this.#shares.delete(providerId);
    const slots = this.#providers.get(providerId);
    if (!slots) return;
    slots.share = share;
    this.#serve(slots);
  }

  /**
   * Lets all queued requests choose again, class by class, after the choice of providers has changed. The
   * accounts with the fewest slots go first.
   */
  reconsider(): void {
    const waiters = planClasses.flatMap((planClass) =>
      orderByShare(this.#emptied(planClass), ({ claim }) => this.#heldFor(claim)),
    );
    for (const { onOutcome } of waiters) onOutcome({ kind: 'changed' });
  }

  /** Reports whether the provider serves a model for which requests queue, even if they queue elsewhere. */
  mayServeQueued({ id }: P): boolean {
    return this.#waiting.hasCandidate(id);
  }

  hasFreeSlot(provider: P, planClass: PlanClass): boolean {
    return this.#slotsOf(provider).hasFreeSlotFor(planClass);
  }

  /** Takes a slot for an account if one is free. The caller must return it once with `release()`. */
  tryTake(provider: P, account: string, planClass: PlanClass): boolean {
    const slots = this.#slotsOf(provider);
    if (!slots.hasFreeSlotFor(planClass)) return false;
    slots.take(account);
    return true;
  }

  release(provider: P, account: string): void {
    const slots = this.#providers.get(provider.id)!;
    const now = this.#clock.now();
    slots.flow.note(now);
    if (slots.isAwaited) slots.pace.note(now);
    else slots.pace.rest();
    slots.giveBack(account);
    if (slots.isAwaited) this.#serve(slots);
  }

  /**
   * Queues a request for a slot. Returns undefined if the outcome was known at once
   * and `done` was called with it.
   */
  wait(claim: SlotClaim<P>, done: (outcome: WaitOutcome<P>) => void): Waiter | undefined {
    const { account, planClass } = claim;
    const free = claim.providers.find((provider) => this.tryTake(provider, account, planClass));
    if (free) {
      done({ kind: 'slot', provider: free, waitedMs: this.#waitedMs(claim) });
      return undefined;
    }
    return this.join(claim, done);
  }

  /** Queues a request even if a slot is free. Otherwise it is like `wait()`. */
  join(claim: SlotClaim<P>, done: (outcome: WaitOutcome<P>) => void): Waiter | undefined {
    const reason = claim.since === undefined ? this.#objection(claim) : undefined;
    if (reason) {
      done({ kind: 'no-slot', reason, waitedMs: 0, retryAfterMs: this.#retryAfterMs(claim) });
      return undefined;
    }
    return this.#enqueue(claim, done);
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

  /** The time at which the next queued request expires. It is undefined if the queue is empty. */
  get nextExpiry(): number | undefined {
    return this.#waiting.nextExpiry;
  }

  get size(): number {
    return this.#waiting.size;
  }

  waiting(planClass: PlanClass): number {
    return this.#waiting.sizeOf(planClass);
  }

  /** Estimates the wait of another request of that account. It is infinite if nothing is known. */
  likelyWaitMs(provider: P, planClass: PlanClass, account: string): number {
    const slots = this.#slotsOf(provider);
    return slots.flow.waitMs(slots.ahead(planClass, account)) ?? Number.POSITIVE_INFINITY;
  }

  /** Lists the queued requests, the oldest first. It walks all queues, so only operators ask for it. */
  queued(): QueuedRequest[] {
    const now = this.#clock.now();
    const positions = new Map<Waiting<P>, number>();
    for (const slots of this.#providers.values())
      for (const [index, waiter] of slots.inOrder().entries())
        positions.set(waiter, Math.min(index + 1, positions.get(waiter) ?? index + 1));
    return [...positions]
      .toSorted(([one], [other]) => one.since - other.since || one.order - other.order)
      .map(([waiter, position]) => queuedView(waiter, position, now));
  }

  /**
   * Returns the number of requests that queue for one provider. A request with several suitable providers
   * counts at each of them.
   */
  waitingFor(providerId: string, planClass: PlanClass): number {
    return this.#providers.get(providerId)?.waiting(planClass) ?? 0;
  }

  /**
   * Returns the latest wait times of requests that were served at this provider after a wait.
   * Returns null if there were none.
   */
  waitsAt(providerId: string, planClass: PlanClass): Percentiles | null {
    return this.#providers.get(providerId)?.waits.get(planClass)?.percentiles() ?? null;
  }

  inUse(providerId: string): number {
    return this.#providers.get(providerId)?.inUse ?? 0;
  }

  /** The wait so far of the request that expires first: the oldest one if all have one limit. */
  oldestWaitMs(planClass: PlanClass): number {
    const first = this.#waiting.first(planClass);
    return first ? this.#clock.now() - first.since : 0;
  }

  #slotsOf(provider: P): ProviderSlots<Waiting<P>> {
    let slots = this.#providers.get(provider.id);
    if (!slots) {
      slots = new ProviderSlots(limitOf(provider), this.#shares.get(provider.id));
      this.#providers.set(provider.id, slots);
    }
    return slots;
  }

  /** Removes all requests of a class. Returns them in the order of arrival. */
  #emptied(planClass: PlanClass): Waiting<P>[] {
    const waiters: Waiting<P>[] = [];
    for (;;) {
      const waiter = this.#waiting.first(planClass);
      if (!waiter) break;
      this.#remove(waiter);
      waiters.push(waiter);
    }
    return waiters.sort((one, other) => one.since - other.since || one.order - other.order);
  }

  /** Counts the slots of the account at all targets, since a request that chooses again may go to any. */
  #heldFor(claim: SlotClaim<P>): number {
    return candidatesOf(claim).reduce(
      (sum, provider) => sum + this.#slotsOf(provider).heldBy(claim.account),
      0,
    );
  }

  #serve(slots: ProviderSlots<Waiting<P>>): void {
    while (slots.isAwaited) {
      const waiter = slots.next(this.#freeShare);
      if (!waiter) return;
      const { provider } = waiter.entries.find(({ provider: { id } }) => this.#providers.get(id) === slots)!;
      this.#remove(waiter, provider);
      slots.take(waiter.claim.account);
      const waitedMs = this.#clock.now() - waiter.since;
      slots.hasWaited(waiter.claim.planClass, waitedMs);
      waiter.onOutcome({ kind: 'slot', provider, waitedMs });
    }
  }

  #enqueue(claim: SlotClaim<P>, onOutcome: Waiting<P>['onOutcome']): Waiter {
    const since = claim.since ?? this.#clock.now();
    const waiter: Waiting<P> = {
      claim,
      since,
      until: since + claim.maxWaitMs,
      order: ++this.#arrivals,
      onOutcome,
      entries: [],
      turn: undefined,
      leave: () => this.#remove(waiter),
    };
    this.#freeShare = claim.freeShare;
    this.#waiting.add(waiter);
    for (const provider of claim.providers) {
      const slots = this.#slotsOf(provider);
      const entry = slots.join(claim.planClass, claim.account, waiter);
      waiter.entries.push({ provider, entry });
      if (this.onWaiting && slots.waiting(claim.planClass) === 1) this.onWaiting(provider.id);
    }
    return waiter;
  }

  #remove(waiter: Waiting<P>, servedBy?: P): void {
    if (!this.#waiting.remove(waiter)) return;
    const { planClass } = waiter.claim;
    for (const { provider, entry } of waiter.entries) {
      const reason = provider === servedBy ? 'served' : 'gave-up';
      const slots = this.#providers.get(provider.id)!;
      slots.leave(planClass, entry, reason);
      if (this.onWaiting && slots.waiting(planClass) === 0) this.onWaiting(provider.id);
    }
  }

  #turnAway(waiter: Waiting<P>, reason: NoSlotReason): void {
    this.#remove(waiter);
    const waitedMs = this.#clock.now() - waiter.since;
    waiter.onOutcome({ kind: 'no-slot', reason, waitedMs, retryAfterMs: this.#retryAfterMs(waiter.claim) });
  }

  #waitedMs({ since }: SlotClaim<P>): number {
    return since === undefined ? 0 : this.#clock.now() - since;
  }

  #objection(claim: SlotClaim<P>): NoSlotReason | undefined {
    return this.#foreseeableMs(claim) > claim.maxWaitMs ? 'hopeless' : this.#makeSpace(claim);
  }

  #makeSpace(claim: SlotClaim<P>): NoSlotReason | undefined {
    while (!this.#waiting.fits(claim)) {
      const youngest = this.#waiting.youngestBehind(claim.planClass);
      if (!youngest) return 'full';
      this.#turnAway(youngest, 'displaced');
    }
    return undefined;
  }

  /** Predicts the wait at the provider with the shortest queue for this claim. 0 if nothing is known. */
  #foreseeableMs({ providers, planClass, account }: SlotClaim<P>): number {
    let shortest = Number.POSITIVE_INFINITY;
    for (const provider of providers) {
      const slots = this.#slotsOf(provider);
      shortest = Math.min(shortest, slots.pace.waitMs(slots.ahead(planClass, account)) ?? 0);
    }
    return shortest === Number.POSITIVE_INFINITY ? 0 : shortest;
  }

  /** Returns the time after which the same request would find a queue that is short enough. */
  #retryAfterMs(claim: SlotClaim<P>): number {
    return Math.max(MIN_RETRY_AFTER_MS, this.#foreseeableMs(claim) - claim.maxWaitMs);
  }
}
