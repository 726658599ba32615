import { LatencyWindow } from '../../base/lib/latency-window.ts';
import { FairQueue, type QueueEntry } from './fair-queue.ts';
import { Holders } from './holders.ts';
import { type PlanClass, planClasses } from './plan-class.ts';
import { ReleasePace } from './release-pace.ts';

/**
 * The part of a provider's slots that this process may use, where several processes share them. `paidOnly`: a
 * paid request waits elsewhere, so no slot goes to a request behind `paid`.
 */
export type SlotShare = { slots: number; paidOnly: boolean };

/** Manages one provider's slots and the queue for them. */
export class ProviderSlots<T> {
  /** The pace while requests queue, from which their waits are predicted. */
  readonly pace = new ReleasePace();
  /** The pace at all times. It is used to predict the wait of a queue that does not exist yet. */
  readonly flow = new ReleasePace();
  /**
   * The waits of requests that got a slot after a wait. A window is created with the first of these requests
   * of a class.
   */
  readonly waits = new Map<PlanClass, LatencyWindow>();
  readonly #queues: Record<PlanClass, FairQueue<T>> = {
    paid: new FairQueue(),
    free: new FairQueue(),
    batch: new FairQueue(),
    flex: new FairQueue(),
  };
  readonly #holders = new Holders();
  #configured: number;
  #share: SlotShare | undefined;
  /** The configured limit, or the share if that is less. */
  #limit: number;
  #inUse = 0;
  /** The credit that Free has saved up from its share of the freed slots. */
  #freeCredit = 0;

  constructor(limit: number, share: SlotShare | undefined) {
    this.#configured = limit;
    this.#limit = limit;
    this.share = share;
  }

  /** Sets the limit from the configuration, which a reload may change. */
  set limit(configured: number) {
    this.#configured = configured;
    this.#bound();
  }

  /** Undefined if the process has all slots. */
  set share(share: SlotShare | undefined) {
    this.#share = share;
    this.#bound();
  }

  get inUse(): number {
    return this.#inUse;
  }

  heldBy(account: string): number {
    return this.#holders.heldBy(account);
  }

  hasFreeSlotFor(planClass: PlanClass): boolean {
    return this.#inUse < this.#limit && (planClass === 'paid' || !this.#isPaidOnly);
  }

  take(account: string): void {
    this.#inUse++;
    this.#holders.acquire(this.#holders.of(account));
  }

  giveBack(account: string, now: number): void {
    this.flow.note(now);
    if (this.isAwaited) this.pace.note(now);
    else this.pace.rest();
    this.#inUse--;
    this.#holders.release(this.#holders.of(account));
  }

  waiting(planClass: PlanClass): number {
    return this.#queues[planClass].size;
  }

  get isAwaited(): boolean {
    const { paid, free, batch, flex } = this.#queues;
    return paid.size + free.size + batch.size + flex.size > 0;
  }

  /** Returns how many requests are served before another request of that account and class. */
  ahead(planClass: PlanClass, account: string): number {
    let count = 0;
    for (const other of planClasses) {
      if (other === planClass) break;
      count += this.#queues[other].size;
    }
    return count + this.#queues[planClass].ahead(account);
  }

  /** Returns the queued requests in the order in which they are probably served. */
  inOrder(): T[] {
    return planClasses.flatMap((planClass) => this.#queues[planClass].inOrder());
  }

  join(planClass: PlanClass, account: string, item: T): QueueEntry<T> {
    const holder = this.#holders.of(account);
    this.#holders.enqueue(holder);
    return this.#queues[planClass].join(account, holder, item);
  }

  leave(planClass: PlanClass, entry: QueueEntry<T>, reason: 'served' | 'gave-up'): void {
    this.#holders.dequeue(entry.queue.holder);
    this.#queues[planClass].leave(entry, reason);
  }

  hasWaited(planClass: PlanClass, waitedMs: number): void {
    let window = this.waits.get(planClass);
    if (!window) {
      window = new LatencyWindow();
      this.waits.set(planClass, window);
    }
    window.take(waitedMs);
  }

  /**
   * Returns the next request to serve, or undefined if none can be. Paid goes first, except for the share of
   * freed slots that Free gets while both queue. Batches come last.
   */
  next(freeShare: number): T | undefined {
    if (this.#inUse >= this.#limit) return undefined;
    const { paid, free, batch, flex } = this.#queues;
    const share = this.#limit / this.#holders.active;
    if (this.#isPaidOnly) return paid.next(share);
    if (paid.size === 0 || free.size === 0)
      return paid.next(share) ?? free.next(share) ?? batch.next(share) ?? flex.next(share);
    this.#freeCredit += freeShare;
    if (this.#freeCredit < 1) return paid.next(share);
    this.#freeCredit -= 1;
    return free.next(share);
  }

  get #isPaidOnly(): boolean {
    return this.#share?.paidOnly === true;
  }

  #bound(): void {
    this.#limit = this.#share ? Math.min(this.#configured, this.#share.slots) : this.#configured;
  }
}
