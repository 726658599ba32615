import type { MaybeLater } from '../lib/after.ts';
import { Booking, type Lender, type MemoryHolder, type Needs } from './booking.ts';
import type { BudgetSizes } from './budget-sizes.ts';

export type BudgetParts = {
  sizes: BudgetSizes;
  /** How long a request waits for room. */
  timeoutMs: number;
  /** What the process holds in truth. */
  residentBytes?: () => number;
  /** Makes memory of what nobody needs any more. */
  collect?: () => void;
};

type Waiter = { booking: Booking; needs: Needs; since: number; answer: (isAdmitted: boolean) => void };

/**
 * An account may hold this many times what it leaves free. Alone it gets four fifths, two get four ninths each: there is always something
 * left for who comes next.
 */
const SHARE = 4;
/** Later requests may overtake one for which there is no room yet, but no longer than this. */
const OVERTAKING_MS = 5_000;
/** What was given back is not asked after below this. */
const LEAST_SPENT_BYTES = 16 * 1024 * 1024;
/** The collector runs when the process has grown by this much that no request has booked. */
const MOST_UNBOOKED_BYTES = 96 * 1024 * 1024;

/**
 * Bounds what requests make the process hold: bodies as they were sent, decoded, parsed and patched, and the answers of upstreams. What
 * there is no room for waits unread, in the order in which it came. What is given back is memory again only when it was collected:
 * until then it counts as spent.
 */
export class MemoryBudget implements Lender {
  readonly sizes: BudgetSizes;
  readonly #timeoutMs: number;
  readonly #residentBytes: () => number;
  readonly #collect: () => void;
  readonly #holders = new Map<string, MemoryHolder>();
  readonly #waiting: Waiter[] = [];
  #waitingBytes = 0;
  #opened = 0;
  #used = 0;
  #usedLarge = 0;
  #spent = 0;
  /** What is resident beside what is booked. */
  #idleBytes: number;
  /** The one that was let past the bounds. */
  #overdrawn: Booking | undefined;

  constructor({ sizes, timeoutMs, ...parts }: BudgetParts) {
    this.sizes = sizes;
    this.#timeoutMs = timeoutMs;
    this.#residentBytes = parts.residentBytes ?? process.memoryUsage.rss;
    this.#collect = parts.collect ?? (() => Bun.gc(true));
    this.#idleBytes = this.#residentBytes();
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
      holder = { id: account, bookings: 0, held: 0, large: 0 };
      this.#holders.set(account, holder);
    }
    holder.bookings++;
    return new Booking(this, holder, this.#opened++);
  }

  /** For what is too small to wait and is gone again at once: the same number comes back negative. */
  count(bytes: number): void {
    this.#used += bytes;
  }

  admit(booking: Booking, needs: Needs): MaybeLater<boolean> {
    if (booking.held + needs.bytes > this.sizes.most) return false; // no wait would help
    const oldest = this.#waiting[0];
    const isNext = !oldest || booking.order < oldest.booking.order || !isOverdue(oldest, performance.now());
    if (isNext && this.#hasRoom(booking, needs)) {
      this.take(booking, needs.bytes);
      return true;
    }
    const { unread = 0 } = needs;
    if (unread > 0 && this.#waitingBytes + unread > this.sizes.waiting) return false;
    return new Promise((answer) => this.#line({ booking, needs, since: performance.now(), answer }));
  }

  take(booking: Booking, bytes: number): void {
    this.#move(booking, bytes);
  }

  giveBack(booking: Booking, bytes: number): void {
    if (booking.largeWith(0) > 0) this.#spent += bytes;
    this.#move(booking, -bytes);
    if (booking.held === 0 && this.#overdrawn === booking) this.#overdrawn = undefined;
    if (this.#waiting.length > 0) this.#admitWaiting(performance.now());
  }

  close({ holder }: Booking): void {
    holder.bookings--;
    if (holder.bookings === 0) this.#holders.delete(holder.id);
  }

  /** Turns away who has waited too long, and has garbage collected that nobody waits for. To be called every second. */
  sweep(now = performance.now()): void {
    for (const waiter of this.#waiting.filter(({ since }) => now - since > this.#timeoutMs))
      this.#leave(waiter, false);
    this.#collectUnbooked();
    this.#admitWaiting(now);
  }

  /**
   * Streams book nothing, but what passes through them becomes garbage. The runtime lets it grow to the size of what is in use, and an idle
   * process keeps it for minutes.
   */
  #collectUnbooked(): void {
    const unbooked = this.#residentBytes() - this.#used;
    if (unbooked > this.#idleBytes + MOST_UNBOOKED_BYTES) this.#collectAll();
    // While requests hold much, a part of it may be booked and not resident yet.
    else if (this.#used < LEAST_SPENT_BYTES) this.#idleBytes = Math.min(this.#idleBytes, unbooked);
  }

  #collectAll(): void {
    this.#collect();
    // What grew for good meanwhile, like the counter's tables, is not waited for.
    this.#idleBytes = Math.max(0, this.#residentBytes() - this.#used);
    this.#spent = 0;
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

  #hasRoom(booking: Booking, needs: Needs): boolean {
    if (this.#fits(booking, needs)) {
      const { bytes } = needs;
      if (booking.largeWith(bytes) === 0 || this.#isInMemory(bytes)) return true;
    }
    return this.#mayOverdraw(booking, needs);
  }

  #fits(booking: Booking, { bytes, expected = bytes }: Needs): boolean {
    const { holder } = booking;
    const left = this.sizes.total - this.#used - expected;
    if (left < 0 || isTooMuch(holder.held, expected, left)) return false;
    const large = booking.largeWith(expected) - booking.largeWith(0);
    if (large === 0) return true;
    const largeLeft = this.sizes.large - this.#usedLarge - large;
    return largeLeft >= 0 && !isTooMuch(holder.large, large, largeLeft);
  }

  /** Whether what was given back has become memory again; it is seen to where it has not. */
  #isInMemory(bytes: number): boolean {
    if (this.#usedLarge + this.#spent + bytes <= this.sizes.large || this.#spent < LEAST_SPENT_BYTES)
      return true;
    if (this.#residentBytes() > this.#idleBytes + this.#used + LEAST_SPENT_BYTES) this.#collectAll();
    this.#spent = 0;
    return true;
  }

  /**
   * One request at a time may pass the bounds, so that those that hold a part of what they need do not wait for each other for ever: the
   * oldest of them, or one that is larger than all that there is and has it for itself.
   */
  #mayOverdraw(booking: Booking, { bytes }: Needs): boolean {
    if (this.#used + bytes > this.sizes.most) return false;
    if (this.#overdrawn !== booking && !this.#isFirstToOverdraw(booking)) return false;
    this.#overdrawn = booking;
    return this.#isInMemory(bytes);
  }

  #isFirstToOverdraw(booking: Booking): boolean {
    if (this.#overdrawn !== undefined) return false;
    const oldest = this.#waiting[0]?.booking ?? booking;
    const isAlone = this.#usedLarge === booking.largeWith(0);
    return booking.order <= oldest.order && (booking.held > 0 || isAlone);
  }

  #line(waiter: Waiter): void {
    const { booking, needs } = waiter;
    const place = this.#waiting.findIndex((other) => other.booking.order > booking.order);
    this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiter);
    this.#waitingBytes += needs.unread ?? 0;
    this.#used += needs.unread ?? 0;
  }

  #leave(waiter: Waiter, isAdmitted: boolean): void {
    const { booking, needs, answer } = waiter;
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
    this.#waitingBytes -= needs.unread ?? 0;
    this.#used -= needs.unread ?? 0;
    if (isAdmitted) booking.add(needs.bytes);
    answer(isAdmitted);
  }

  #admitWaiting(now: number): void {
    for (const waiter of [...this.#waiting]) {
      if (waiter.booking.isClosed || this.#hasRoom(waiter.booking, waiter.needs)) this.#leave(waiter, true);
      else if (isOverdue(waiter, now)) return;
    }
  }
}

const isOverdue = ({ since }: Waiter, now: number): boolean => now - since > OVERTAKING_MS;

/** Whoever holds nothing may have what is there. */
const isTooMuch = (held: number, bytes: number, left: number): boolean =>
  held > 0 && held + bytes > SHARE * left;
