import type { MaybeLater } from '../lib/after.ts';

/** What an account holds of the budget. */
export type MemoryHolder = { readonly id: string; bookings: number; held: number; large: number };

/** Who gives and takes. */
export type Lender = {
  admit(booking: Booking, needs: Needs): MaybeLater<boolean>;
  take(booking: Booking, bytes: number): void;
  giveBack(booking: Booking, bytes: number): void;
  close(booking: Booking): void;
};

export type Needs = {
  /** To be booked now. */
  bytes: number;
  /** What it will come to, where that is known: there has to be room for all of it. */
  expected?: number;
  /** What it holds outside of the budget while it waits. */
  unread?: number;
};

/** From here on a request is large: it counts in the smaller part of the budget too. */
export const LARGE_BYTES = 5 * 1024 * 1024;

/** What one request makes the process hold. */
export class Booking {
  readonly holder: MemoryHolder;
  /** Those that came first go first. */
  readonly order: number;
  readonly #lender: Lender;
  held = 0;
  isClosed = false;

  constructor(lender: Lender, holder: MemoryHolder, order: number) {
    this.#lender = lender;
    this.holder = holder;
    this.order = order;
  }

  /** Of what is held, or would be with so much more, the part that counts as large: all or nothing. */
  largeWith(bytes: number): number {
    return this.held + bytes > LARGE_BYTES ? this.held + bytes : 0;
  }

  /** True when there is room; false when there was none in time, or too many wait already. */
  grow(bytes: number, needs: Omit<Needs, 'bytes'> = {}): MaybeLater<boolean> {
    return this.isClosed || this.#lender.admit(this, { bytes, ...needs });
  }

  /** For what is there already, room or not. */
  add(bytes: number): void {
    if (!this.isClosed) this.#lender.take(this, bytes);
  }

  /** Gives back what is above `bytes`. */
  shrink(bytes: number): void {
    if (bytes < this.held) this.#lender.giveBack(this, this.held - bytes);
  }

  free(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.shrink(0);
    this.#lender.close(this);
  }
}
