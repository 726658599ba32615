import type { ClaimedItem } from '../stored/batch.ts';
import type { Claimed, RunningBatch } from '../stored/batch-store.ts';
import { ActiveBatch } from './active-batch.ts';
import { claimAsks } from './claim-asks.ts';
import type { RunnerParts } from './runner-parts.ts';
import { workOnItem } from './work-on-item.ts';

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
/** The longest pause between two looks at the store. */
const MAX_PAUSE_MS = 60_000;
const AFTER_FAILURE_MS = 1_000;

/**
 * Runs the items of all batches with limited concurrency.
 * Batches take turns, and each item runs under a lease.
 */
export class BatchRunner {
  readonly #parts: RunnerParts;
  /** The batches in the order of their turns. */
  #batches: ActiveBatch[] = [];
  #timer: Timer | undefined;
  #pumping: Promise<void> | undefined;
  #isAsked = false;
  #isStopped = false;
  #renewedAt = 0;
  #lookTimer: Timer | undefined;
  readonly #stopListening: () => void;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#stopListening = parts.clock.onJump?.(() => this.#wake()) ?? (() => {});
  }

  /** Resumes the batches of the previous process. */
  async start(): Promise<void> {
    await this.lookAtAll();
    const { lookEveryMs, onFailure } = this.#parts;
    if (lookEveryMs === undefined || this.#isStopped) return;
    this.#lookTimer = setInterval(() => void this.lookAtAll().catch(onFailure), lookEveryMs);
    this.#lookTimer.unref();
  }

  /** Takes up the changes of all batches. Notices of changes can be lost. */
  async lookAtAll(): Promise<void> {
    const running = await this.#parts.store.loadRunning();
    for (const active of this.#batches) active.dueAt = 0; // the next claim finds out whether it has ended
    for (const batch of running) this.#meet(batch);
    this.#wake();
  }

  /**
   * Takes up a change that any node made: the batch is new, canceled, or released by
   * a closed node, or it has ended.
   */
  async look(id: string): Promise<void> {
    const found = await this.#parts.store.findRunning(id);
    if (found) this.#meet(found);
    const active = this.#batches.find(({ batch }) => batch.id === id);
    if (active) active.dueAt = 0;
    this.#wake();
  }

  /**
   * Puts back the items in progress, since the other nodes have closed this one.
   * The process continues as another node.
   */
  leave(): void {
    for (const active of this.#batches) active.stop();
  }

  cancel(id: string): void {
    const active = this.#batches.find(({ batch }) => batch.id === id);
    active?.cancel();
    if (active?.batch.isNative) this.#parts.callOff(active.batch);
    this.#wake();
  }

  /** The batches that have not ended. */
  get active(): readonly ActiveBatch[] {
    return this.#batches;
  }

  /** Starts no more items. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#lookTimer);
    this.#stopListening();
  }

  /** Puts back the items in progress. Resolves when none is left. */
  async close(): Promise<void> {
    this.stop();
    await this.#pumping; // it can still start claimed items
    for (const active of this.#batches) active.stop();
    while (this.#atWork > 0) await Bun.sleep(1);
  }

  get #atWork(): number {
    return this.#batches.reduce((sum, { atWork }) => sum + atWork.size, 0);
  }

  /** The number of items in progress, without those at providers. */
  get #inHouse(): number {
    return this.#batches.reduce((sum, { batch, atWork }) => sum + (batch.isNative ? 0 : atWork.size), 0);
  }

  #take(batch: RunningBatch): void {
    if (this.#batches.some(({ batch: { sequence } }) => sequence === batch.sequence)) return;
    this.#batches.push(new ActiveBatch(batch, this.#parts.clock.now()));
  }

  #meet(batch: RunningBatch): void {
    this.#take(batch);
    const active = this.#batches.find(({ batch: { sequence } }) => sequence === batch.sequence)!;
    if (batch.cancelInitiatedAt !== null && !active.isCanceled) this.cancel(batch.id);
  }

  /** Schedules a look at the batches. Calls within the same turn of the event loop share one look. */
  #wake(): void {
    if (this.#isStopped || this.#isAsked) return;
    this.#isAsked = true;
    if (this.#pumping) return;
    setImmediate(() => {
      this.#pumping = this.#pump().finally(() => {
        this.#pumping = undefined;
        if (this.#isAsked && !this.#isStopped) {
          this.#isAsked = false;
          this.#wake();
        }
      });
    });
  }

  async #pump(): Promise<void> {
    let pauseMs = AFTER_FAILURE_MS;
    try {
      while (this.#isAsked && !this.#isStopped) {
        this.#isAsked = false;
        await this.#expireOverdue();
        await this.#claim();
        await this.#endFinished();
      }
      pauseMs = this.#pauseMs();
    } catch (error) {
      this.#parts.onFailure(error);
    }
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#wake(), pauseMs);
    this.#timer.unref();
  }

  async #expireOverdue(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const active of this.#batches) {
      if (active.isExpired || now < active.batch.deadlineAt) continue;
      await this.#parts.store.expireItems(active.batch.sequence);
      if (active.batch.isNative) this.#parts.callOff(active.batch);
      active.expire();
    }
  }

  async #claim(): Promise<void> {
    const now = this.#parts.clock.now();
    const { pace, concurrency } = this.#parts;
    const leaseUntil = now + LEASE_MS;
    const places = { concurrency: concurrency(), free: concurrency() - this.#inHouse };
    const { asks, batches } = claimAsks(this.#batches, { now, leaseUntil, pace, ...places });
    this.#batches = batches;
    const isRenewing = this.#atWork > 0 && now - this.#renewedAt >= RENEW_EVERY_MS;
    if (asks.length === 0 && !isRenewing) return;
    const inHouse = this.#batches.filter(({ batch }) => !batch.isNative);
    const atWork = isRenewing ? inHouse.flatMap(({ leases }) => leases) : [];
    if (isRenewing) this.#renewedAt = now;
    const claimed = await this.#parts.store.claimItems({ asks, now, leaseUntil, atWork });
    for (const one of claimed) this.#begin(one);
  }

  #begin({ sequence, items, nextDueAt }: Claimed): void {
    const active = this.#batches.find(({ batch }) => batch.sequence === sequence)!;
    active.dueAt = nextDueAt ?? Number.POSITIVE_INFINITY;
    for (const item of items) {
      this.#parts.spent.add(item.params.length);
      void this.#work(active, item);
    }
    if (items.length > 0) this.#parts.pace.began();
  }

  async #work(active: ActiveBatch, item: ClaimedItem): Promise<void> {
    const { number } = item.lease;
    try {
      await workOnItem({ ...this.#parts, isStopped: () => this.#isStopped }, active, item);
    } catch (error) {
      this.#parts.onFailure(error); // the item is retried when its lease ends
    }
    // This node can have claimed the item again after it was closed.
    if (active.atWork.get(number)?.item === item) active.atWork.delete(number);
    if (active.atWork.size === 0) active.dueAt = 0;
    this.#wake();
  }

  async #endFinished(): Promise<void> {
    const { store, clock } = this.#parts;
    for (const active of [...this.#batches]) {
      if (active.atWork.size > 0 || active.dueAt !== Number.POSITIVE_INFINITY) continue;
      await store.endBatch(active.batch.sequence, clock.now());
      if (active.batch.isNative) await this.#parts.onEnded(active.batch);
      this.#parts.spent.done();
      this.#batches = this.#batches.filter((other) => other !== active);
    }
  }

  #pauseMs(): number {
    const now = this.#parts.clock.now();
    const hasSpace = this.#parts.concurrency() > this.#inHouse;
    let next = this.#atWork > 0 ? this.#renewedAt + RENEW_EVERY_MS : Number.POSITIVE_INFINITY;
    for (const { dueAt, isExpired, batch } of this.#batches) {
      if (!isExpired) next = Math.min(next, batch.deadlineAt);
      if (batch.isNative || hasSpace) next = Math.min(next, Math.max(dueAt, now + this.#parts.pace.waitMs));
    }
    return Math.min(MAX_PAUSE_MS, Math.max(0, next - now));
  }
}
