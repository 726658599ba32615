import type { MaybeLater } from '../lib/maybe-later.ts';
import { Booking, type Lender, type MemoryHolder, type Needs } from './booking.ts';
import type { BudgetSizes } from './budget-sizes.ts';
import { type GarbageParts, GarbageWatch } from './garbage-watch.ts';
import { type MemoryWaiter, WaitingLine } from './waiting-line.ts';

export type BudgetParts = GarbageParts & {
  sizes: BudgetSizes;
  /** The longest wait of a request for memory. */
  timeoutMs: number;
};

/**
 * An account may hold this many times what it leaves free. One account alone gets four fifths, and two get
 * four ninths each. There is always memory left for another account.
 */
const SHARE = 4;
/** Returned bytes below this are not checked against the process's size. */
const MIN_SPENT_BYTES = 16 * 1024 * 1024;

/**
 * Bounds the memory that requests use: bodies as received, decoded, parsed and patched, and upstream answers.
 * A body that does not fit waits unread, in order of arrival. Returned bytes count as spent until the
 * collector has freed them.
 */
export class MemoryBudget implements Lender {
  readonly sizes: BudgetSizes;
  readonly #timeoutMs: number;
  readonly #garbage: GarbageWatch;
  readonly #holders = new Map<string, MemoryHolder>();
  readonly #waiting = new WaitingLine();
  #opened = 0;
  #used = 0;
  #usedLarge = 0;
  #spent = 0;
  /** Requests or their bodies have arrived since the last sweep. */
  #isServing = false;
  /** The booking that may exceed the bounds. */
  #overdrawn: Booking | undefined;

  constructor({ sizes, timeoutMs, ...parts }: BudgetParts) {
    this.sizes = sizes;
    this.#timeoutMs = timeoutMs;
    this.#garbage = new GarbageWatch(sizes.totalBytes, parts);
  }

  get usedBytes(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  open(account = ''): Booking {
    let holder = this.#holders.get(account);
    if (!holder) {
      holder = { id: account, bookings: 0, held: 0, large: 0, unread: 0 };
      this.#holders.set(account, holder);
    }
    holder.bookings++;
    this.#isServing = true;
    return new Booking(this, holder, this.#opened++);
  }

  /** Counts a body that is too small to wait. The caller uncounts it once it is read. */
  count(bytes: number): void {
    this.#isServing = true;
    this.#used += bytes;
  }

  uncount(bytes: number): void {
    this.#isServing = true;
    this.#used -= bytes;
  }

  /**
   * Books the bytes at once or when they fit. Returns false if they can never fit, or if too many unread
   * bytes wait, of all accounts or of this one.
   */
  lend(booking: Booking, needs: Needs): MaybeLater<boolean> {
    if (booking.held + needs.bytes > this.sizes.overdrawnBytes) return false; // waiting would not help
    const mayGo = this.#overdrawn === booking || !this.#waiting.holdsBack(booking, performance.now());
    if (mayGo && this.#makeSpace(booking, needs)) {
      this.take(booking, needs.bytes);
      return true;
    }
    if (!this.#mayWait(booking, needs)) return false;
    return new Promise((answer) => this.#enqueue({ booking, needs, since: performance.now(), answer }));
  }

  lendNow(booking: Booking, bytes: number): boolean {
    if (this.#waiting.holdsBack(booking, performance.now()) || !this.#fits(booking, { bytes })) return false;
    this.take(booking, bytes);
    return true;
  }

  take(booking: Booking, bytes: number): void {
    this.#move(booking, bytes);
  }

  giveBack(booking: Booking, bytes: number): void {
    if (booking.largeWith(0) > 0) this.#spent += bytes;
    this.#move(booking, -bytes);
    if (booking.held === 0 && this.#overdrawn === booking) this.#overdrawn = undefined;
    if (this.#waiting.length > 0) this.#lendToWaiting(performance.now());
  }

  close({ holder }: Booking): void {
    holder.bookings--;
    if (holder.bookings === 0) this.#holders.delete(holder.id);
  }

  /**
   * Rejects requests that have waited too long, and collects unbooked garbage. Must be called every second.
   */
  sweep(now = performance.now()): void {
    for (const waiter of this.#waiting.all())
      if (now - waiter.since > this.#timeoutMs) this.#dequeue(waiter, 'overdue');
    this.#garbage.sweep(this.#used, this.#isServing);
    this.#isServing = false;
    this.#lendToWaiting(now);
  }

  #move(booking: Booking, bytes: number): void {
    const { holder } = booking;
    const large = booking.largeWith(bytes) - booking.largeWith(0);
    booking.held += bytes;
    holder.held += bytes;
    holder.large += large;
    this.#used += bytes;
    this.#usedLarge += large;
  }

  /** Reports whether the request may have the bytes now, and collects garbage to make room for them. */
  #makeSpace(booking: Booking, needs: Needs): boolean {
    const { bytes } = needs;
    if (!this.#fits(booking, needs)) {
      if (!this.#mayOverdraw(booking, needs)) return false;
      this.#overdrawn = booking;
    } else if (booking.largeWith(bytes) === 0) return true;
    this.#collectSpent(bytes);
    return true;
  }

  #fits(booking: Booking, { bytes, expected = bytes }: Needs): boolean {
    const { holder } = booking;
    const freeBytes = this.sizes.totalBytes - this.#used - expected;
    if (freeBytes < 0 || isTooMuch(holder.held, expected, freeBytes)) return false;
    const large = booking.largeWith(expected) - booking.largeWith(0);
    if (large === 0) return true;
    const largeLeft = this.sizes.largeBytes - this.#usedLarge - large;
    return largeLeft >= 0 && !isTooMuch(holder.large, large, largeLeft);
  }

  /**
   * Collects returned bytes if they are needed and still in memory. The request is admitted in any case: what
   * remains after a collection is permanent growth, and waiting would not free it.
   */
  #collectSpent(bytes: number): void {
    if (this.#usedLarge + this.#spent + bytes <= this.sizes.largeBytes || this.#spent < MIN_SPENT_BYTES)
      return;
    if (this.#garbage.hasGarbage(this.#used, MIN_SPENT_BYTES)) this.#garbage.collectNow(this.#used);
    this.#spent = 0;
  }

  /**
   * Lets one request at a time exceed the bounds. Otherwise requests that each hold part of their memory
   * would wait for each other forever. The oldest request may, or one that is larger than the whole budget
   * and is alone in it.
   */
  #mayOverdraw(booking: Booking, { bytes }: Needs): boolean {
    if (this.#used + bytes > this.sizes.overdrawnBytes) return false;
    return this.#overdrawn === booking || this.#isFirstToOverdraw(booking);
  }

  #isFirstToOverdraw(booking: Booking): boolean {
    if (this.#overdrawn !== undefined) return false;
    const oldest = this.#waiting.oldest?.booking ?? booking;
    const isAlone = this.#usedLarge === booking.largeWith(0);
    return booking.order <= oldest.order && (booking.held > 0 || isAlone);
  }

  #mayWait({ holder }: Booking, { unread = 0 }: Needs): boolean {
    const left = this.sizes.waitingBytes - this.#waiting.unreadBytes - unread;
    return unread === 0 || (left >= 0 && !isTooMuch(holder.unread, unread, left));
  }

  #enqueue(waiter: MemoryWaiter): void {
    this.#waiting.enter(waiter);
    this.#used += waiter.needs.unread ?? 0;
  }

  #dequeue(waiter: MemoryWaiter, end: 'admitted' | 'overdue'): void {
    const { booking, needs, answer } = waiter;
    this.#waiting.leave(waiter);
    this.#used -= needs.unread ?? 0;
    if (end === 'admitted') booking.add(needs.bytes);
    answer(end === 'admitted');
  }

  #lendToWaiting(now: number): void {
    this.#waiting.giveTurns({
      now,
      isExempt: (booking) => booking.isClosed || booking === this.#overdrawn,
      admit: (waiter) => {
        const { booking, needs } = waiter;
        if (!booking.isClosed && !this.#makeSpace(booking, needs)) return false;
        this.#dequeue(waiter, 'admitted');
        return true;
      },
    });
  }
}

/** Limits an account's share. An account that holds nothing may take all that is free. */
const isTooMuch = (held: number, bytes: number, left: number): boolean =>
  held > 0 && held + bytes > SHARE * left;
