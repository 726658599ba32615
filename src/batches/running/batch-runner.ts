import type { ClaimedItem } from '../stored/batch.ts';
import type { Claimed, RunningBatch } from '../stored/batch-store.ts';
import { ActiveBatch } from './active-batch.ts';
import { claimAsks } from './claim-asks.ts';
import { nextRoundAt } from './next-round-at.ts';
import { RoundLoop } from './round-loop.ts';
import type { RunnerParts } from './runner-parts.ts';
import { workOnItem } from './work-on-item.ts';

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
/** The longest pause between two claims. */
const MAX_PAUSE_MS = 60_000;

/** Runs the items of all batches with limited concurrency. Batches take turns, and each item has a lease. */
export class BatchRunner {
  readonly #parts: RunnerParts;
  readonly #loop: RoundLoop;
  /** The batches in the order of their turns. */
  #batches: ActiveBatch[] = [];
  #renewedAt = 0;
  #takeUpTimer: Timer | undefined;
  /** Resolves when no item is in progress. It is set while `close` waits. */
  #idle: PromiseWithResolvers<void> | undefined;
  readonly #stopListening: () => void;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#loop = new RoundLoop({
      round: () => this.#runRound(),
      pauseMs: () => this.#pauseMs(),
      onFailure: parts.onFailure,
    });
    this.#stopListening = parts.clock.onJump?.(() => this.#loop.request()) ?? (() => {});
  }

  /** Resumes the batches of the previous process. */
  async start(): Promise<void> {
    await this.takeUpAll();
    const { refreshEveryMs, onFailure } = this.#parts;
    if (refreshEveryMs === undefined || this.#loop.isStopped) return;
    this.#takeUpTimer = setInterval(() => void this.takeUpAll().catch(onFailure), refreshEveryMs);
    this.#takeUpTimer.unref();
  }

  /** Takes up the changes of all batches. Notices of changes can be lost. */
  async takeUpAll(): Promise<void> {
    const running = await this.#parts.store.loadRunning();
    for (const active of this.#batches) active.recheck();
    for (const batch of running) this.#takeUp(batch);
    this.#loop.request();
  }

  /** Takes up the change of a batch that any node made: its creation, its cancelation, or its end. */
  async takeUp(id: string): Promise<void> {
    const running = await this.#parts.store.findRunning(id);
    const active = running ? this.#takeUp(running) : this.#find(id);
    active?.recheck();
    this.#loop.request();
  }

  /**
   * Puts back the items in progress, since the other nodes have closed this one. The process continues as
   * another node.
   */
  putBackItems(): void {
    for (const active of this.#batches) active.stop();
  }

  cancel(id: string): void {
    const active = this.#find(id);
    if (active) this.#cancel(active);
    this.#loop.request();
  }

  /** The batches that have not ended. */
  get active(): readonly ActiveBatch[] {
    return this.#batches;
  }

  /** Starts no more items. */
  stop(): void {
    this.#loop.stop();
    clearInterval(this.#takeUpTimer);
    this.#stopListening();
  }

  /** Puts back the items in progress. Resolves when none is left. */
  async close(): Promise<void> {
    this.stop();
    await this.#loop.settled(); // it can still start claimed items
    this.putBackItems();
    if (this.#itemCount === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  /** The number of items in progress. */
  get #itemCount(): number {
    return this.#batches.reduce((sum, { itemsAtWork }) => sum + itemsAtWork.size, 0);
  }

  /** The number of items in progress that no provider's own batch has. */
  get #localItemCount(): number {
    return this.#batches.reduce(
      (sum, { batch, itemsAtWork }) => sum + (batch.isNative ? 0 : itemsAtWork.size),
      0,
    );
  }

  #find(id: string): ActiveBatch | undefined {
    return this.#batches.find(({ batch }) => batch.id === id);
  }

  /** Adds the batch if it is new, and cancels it if any node has done so. */
  #takeUp(batch: RunningBatch): ActiveBatch {
    const active = this.#find(batch.id) ?? this.#add(batch);
    if (batch.cancelInitiatedAt !== null && !active.isCanceled) this.#cancel(active);
    return active;
  }

  #add(batch: RunningBatch): ActiveBatch {
    const active = new ActiveBatch(batch, this.#parts.clock.now());
    this.#batches.push(active);
    return active;
  }

  #cancel(active: ActiveBatch): void {
    active.cancel();
    if (active.batch.isNative) this.#parts.cancelAtProviders(active.batch);
  }

  async #runRound(): Promise<void> {
    await this.#expireOverdue();
    await this.#claim();
    await this.#endFinished();
  }

  async #expireOverdue(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const active of this.#batches) {
      if (active.isExpired || now < active.batch.deadlineAt) continue;
      await this.#parts.store.expireItems(active.batch.sequence);
      if (active.batch.isNative) this.#parts.cancelAtProviders(active.batch);
      active.expire();
    }
  }

  async #claim(): Promise<void> {
    const now = this.#parts.clock.now();
    const { pace, concurrency } = this.#parts;
    const leaseUntil = now + LEASE_MS;
    const places = { concurrency: concurrency(), free: concurrency() - this.#localItemCount };
    const { asks, batches } = claimAsks(this.#batches, { now, leaseUntil, pace, ...places });
    this.#batches = batches;
    const isRenewing = this.#itemCount > 0 && now - this.#renewedAt >= RENEW_EVERY_MS;
    if (asks.length === 0 && !isRenewing) return;
    const local = this.#batches.filter(({ batch }) => !batch.isNative);
    const renewed = isRenewing ? local.flatMap(({ leases }) => leases) : [];
    if (isRenewing) this.#renewedAt = now;
    const claims = await this.#parts.store.claimItems({ asks, now, leaseUntil, renewed });
    for (const claimed of claims) this.#startItems(claimed);
  }

  #startItems({ sequence, items, nextDueAt }: Claimed): void {
    // Only the running round removes batches, and it claimed for this one.
    const active = this.#batches.find(({ batch }) => batch.sequence === sequence)!;
    active.noteClaim(nextDueAt);
    for (const item of items) {
      this.#parts.spent.add(item.params.length);
      void this.#work(active, item);
    }
    if (items.length > 0) this.#parts.pace.began();
  }

  async #work(active: ActiveBatch, item: ClaimedItem): Promise<void> {
    const { number } = item.lease;
    try {
      await workOnItem({ ...this.#parts, isStopped: () => this.#loop.isStopped }, active, item);
    } catch (error) {
      this.#parts.onFailure(error); // the item is retried when its lease ends
    }
    // This node can have claimed the item again after it was closed.
    if (active.itemsAtWork.get(number)?.item === item) active.itemsAtWork.delete(number);
    if (active.itemsAtWork.size === 0) active.recheck();
    if (this.#itemCount === 0) this.#idle?.resolve();
    this.#loop.request();
  }

  async #endFinished(): Promise<void> {
    const { store, clock } = this.#parts;
    for (const active of [...this.#batches]) {
      if (active.itemsAtWork.size > 0 || !active.hasNothingDue) continue;
      await store.endBatch(active.batch.sequence, clock.now());
      if (active.batch.isNative) await this.#parts.onEnded(active.batch);
      this.#parts.spent.done();
      this.#batches = this.#batches.filter((other) => other !== active);
    }
  }

  #pauseMs(): number {
    const now = this.#parts.clock.now();
    const next = nextRoundAt(this.#batches, {
      renewAt: this.#itemCount > 0 ? this.#renewedAt + RENEW_EVERY_MS : Number.POSITIVE_INFINITY,
      startsAt: now + this.#parts.pace.waitMs,
      hasSpace: this.#parts.concurrency() > this.#localItemCount,
    });
    return Math.min(MAX_PAUSE_MS, Math.max(0, next - now));
  }
}
