import type { Booking, MemoryHolder, Needs } from './booking.ts';

export type MemoryWaiter = {
  booking: Booking;
  needs: Needs;
  since: number;
  answer: (isAdmitted: boolean) => void;
};

/** Later requests may overtake a waiting request that does not fit yet. Some may only for this long. */
const OVERTAKING_MS = 5_000;

const isOverdue = ({ since }: MemoryWaiter, now: number): boolean => now - since > OVERTAKING_MS;

type Turns = {
  now: number;
  /** Reports whether no other request holds this one back. */
  isExempt: (booking: Booking) => boolean;
  /** Admits a request if there is memory for it, and reports whether it did. */
  admit: (waiter: MemoryWaiter) => boolean;
};

/** Requests that wait for memory, in the order of their bookings. */
export class WaitingLine {
  readonly #waiters: MemoryWaiter[] = [];
  #unreadBytes = 0;

  get length(): number {
    return this.#waiters.length;
  }

  /** The bytes that the waiting requests hold outside the budget. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  get oldest(): MemoryWaiter | undefined {
    return this.#waiters[0];
  }

  /** Returns the waiters of now, which may leave while the caller goes through them. */
  all(): MemoryWaiter[] {
    return [...this.#waiters];
  }

  /**
   * Reports whether an overdue request that came first must not be overtaken. It holds back the accounts that
   * hold at least as much memory as its own. Otherwise one account with many large requests, which wait for
   * each other, would hold back all others.
   */
  holdsBack({ order, holder }: Booking, now: number): boolean {
    for (const waiter of this.#waiters) {
      if (waiter.booking.order >= order) return false;
      if (isOverdue(waiter, now) && waiter.booking.holder.held <= holder.held) return true;
    }
    return false;
  }

  /** Gives each waiting request that is not held back its turn, in order. */
  giveTurns({ now, isExempt, admit }: Turns): void {
    // The overdue requests so far hold back every account that holds at least this much.
    let leastHeld = Number.POSITIVE_INFINITY;
    for (const waiter of this.all()) {
      const { booking } = waiter;
      const hasTurn = booking.holder.held < leastHeld || isExempt(booking);
      if (hasTurn && admit(waiter)) continue;
      if (isOverdue(waiter, now)) leastHeld = Math.min(leastHeld, booking.holder.held);
    }
  }

  enter(waiter: MemoryWaiter): void {
    const { booking, needs } = waiter;
    const place = this.#waiters.findIndex((other) => other.booking.order > booking.order);
    this.#waiters.splice(place < 0 ? this.#waiters.length : place, 0, waiter);
    this.#count(booking.holder, needs.unread ?? 0);
  }

  leave(waiter: MemoryWaiter): void {
    this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
    this.#count(waiter.booking.holder, -(waiter.needs.unread ?? 0));
  }

  #count(holder: MemoryHolder, unread: number): void {
    this.#unreadBytes += unread;
    holder.unread += unread;
  }
}
