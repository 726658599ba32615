import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { SpentMemory } from '../../base/jobs/spent-memory.ts';
import type { StartPace } from '../../base/jobs/start-pace.ts';
import type { MaybeLater } from '../../base/lib/after.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { BatchStore, ClaimAsk, Claimed, RunningBatch } from '../stored/batch-store.ts';
import { collections } from '../stored/collection.ts';
import type { ItemRun } from '../stored/item-run.ts';
import { erroredLine } from '../stored/result-line.ts';
import { ActiveBatch, type ItemAtWork } from './active-batch.ts';
import { type CalledOff, judgeUnanswered, type Unanswered } from './item-outcome.ts';

export type RunnerParts = {
  store: BatchStore;
  clock: Clock;
  pace: StartPace;
  spent: SpentMemory;
  /** Returns the maximum number of concurrent items. */
  concurrency(): number;
  /** The signal's reason says why the item is called off. */
  run(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun;
  /** Asks the providers not to start the batch's remaining items. */
  callOff(batch: RunningBatch): void;
  /** Reports that every item of the batch has a result. */
  onEnded(batch: RunningBatch): MaybeLater<void>;
  onFailure(error: unknown): void;
  /**
   * The pause between two looks for changes that other nodes made.
   * It is undefined if no other node runs batches.
   */
  lookEveryMs?: number | undefined;
};

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
/** The longest pause between two looks at the store. */
const MAX_PAUSE_MS = 60_000;
const NATIVE_ITEMS_AT_A_TIME = 50;
const AFTER_FAILURE_MS = 1_000;
/** An item that was in progress at this many crashes is assumed to cause them. */
const MAX_DEATHS = 5;

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
    const asks = this.#asks(now);
    const isRenewing = this.#atWork > 0 && now - this.#renewedAt >= RENEW_EVERY_MS;
    if (asks.length === 0 && !isRenewing) return;
    const inHouse = this.#batches.filter(({ batch }) => !batch.isNative);
    const atWork = isRenewing ? inHouse.flatMap(({ leases }) => leases) : [];
    if (isRenewing) this.#renewedAt = now;
    const claimed = await this.#parts.store.claimItems({ asks, now, leaseUntil: now + LEASE_MS, atWork });
    for (const one of claimed) this.#begin(one);
  }

  /** Divides the free places equally among the due batches. Batches that got a turn move to the end. */
  #asks(now: number): ClaimAsk[] {
    const { pace, concurrency } = this.#parts;
    const space = Math.min(concurrency() - this.#inHouse, pace.allowance());
    const due = this.#batches.filter(({ dueAt }) => dueAt <= now);
    const asking = space > 0 ? due.filter(({ batch }) => !batch.isNative).slice(0, space) : [];
    this.#batches = [...this.#batches.filter((active) => !asking.includes(active)), ...asking];
    const limit = Math.max(1, Math.floor(Math.min(space, concurrency()) / asking.length));
    const leaseUntil = now + LEASE_MS;
    const native = pace.allowance() > 0 ? due.filter(({ batch }) => batch.isNative) : [];
    const nativeLimit = Math.min(pace.allowance(), NATIVE_ITEMS_AT_A_TIME);
    return [
      ...asking.map(({ batch: { sequence } }) => ({ sequence, limit, leaseUntil })),
      // Items at providers take no place here.
      ...native.map(({ batch }) => ({
        sequence: batch.sequence,
        limit: nativeLimit,
        leaseUntil: batch.deadlineAt,
      })),
    ];
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
      const unanswered = await this.#answer(active, item);
      if (!unanswered) active.seen.finished++;
      else await this.#writeAtLast(active, item, unanswered);
    } catch (error) {
      this.#parts.onFailure(error); // the item is retried when its lease ends
    }
    // This node can have claimed the item again after it was closed.
    if (active.atWork.get(number)?.item === item) active.atWork.delete(number);
    if (active.atWork.size === 0) active.dueAt = 0;
    this.#wake();
  }

  /** Runs one attempt. `undefined` means that the item was answered. */
  async #answer(active: ActiveBatch, item: ClaimedItem): Promise<Unanswered | undefined> {
    const controller = new AbortController();
    let calledOff: CalledOff | undefined;
    const work: ItemAtWork = {
      item,
      hasBegun: () => false,
      callOff(reason) {
        calledOff ??= reason;
        controller.abort(calledOff);
      },
    };
    active.atWork.set(item.lease.number, work);
    const early = neverRun(active, item);
    if (early) return early;
    const run = this.#parts.run(item, active.batch, controller.signal);
    work.hasBegun = run.hasBegun;
    const end = await run.done;
    if (end === undefined) return undefined;
    if (typeof end === 'string') return { kind: 'ends', result: end };
    return unlessOver(active, judgeUnanswered(item, end, calledOff));
  }

  /**
   * Retries until the store is available, since the lease of an item at a provider lasts until the deadline.
   */
  async #writeAtLast(active: ActiveBatch, item: ClaimedItem, unanswered: Unanswered): Promise<void> {
    while (!this.#isStopped) {
      try {
        return await this.#write(active, item, unanswered);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        this.#parts.onFailure(error);
      }
      await Bun.sleep(AFTER_FAILURE_MS);
    }
    await this.#write(active, item, unanswered);
  }

  async #write(active: ActiveBatch, item: ClaimedItem, unanswered: Unanswered): Promise<void> {
    const { store, clock } = this.#parts;
    const { lease, customId } = item;
    if (unanswered.kind === 'again') {
      const dueAt = clock.now() + unanswered.delayMs;
      await store.putBack({ lease, dueAt, failed: unanswered.failed });
      active.dueAt = Math.min(active.dueAt, dueAt);
      return;
    }
    const { result, refusal } = unanswered;
    const line = refusal ? erroredLine(customId, collections[active.batch.collection], refusal) : null;
    await store.finishItem({ lease, result, line });
    active.seen.finished++;
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

/** Ends items without an attempt: expired, canceled, or present at too many crashes. */
function neverRun(active: ActiveBatch, { deaths, submission }: ClaimedItem): Unanswered | undefined {
  if (active.isExpired) return { kind: 'ends', result: 'expired' };
  // A provider can already have answered its items.
  if (active.isCanceled && submission === null) return { kind: 'ends', result: 'canceled' };
  if (deaths < MAX_DEATHS) return undefined;
  return { kind: 'ends', result: 'errored', refusal: new Refusal('internal_error') };
}

/** Prevents retries in a batch that was canceled or has expired. */
function unlessOver({ isExpired, isCanceled }: ActiveBatch, unanswered: Unanswered): Unanswered {
  if (unanswered.kind === 'ends' || !(isExpired || isCanceled)) return unanswered;
  return { kind: 'ends', result: isExpired ? 'expired' : 'canceled' };
}
