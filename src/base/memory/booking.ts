import type { MaybeLater } from '../lib/maybe-later.ts';

/** The part of the budget that an account holds, and the bytes of its requests that wait unread. */
export type MemoryHolder = {
  readonly id: string;
  bookings: number;
  held: number;
  large: number;
  unread: number;
};

/** Grants and takes back memory. */
export type Lender = {
  lend(booking: Booking, needs: Needs): MaybeLater<boolean>;
  lendNow(booking: Booking, bytes: number): boolean;
  take(booking: Booking, bytes: number): void;
  giveBack(booking: Booking, bytes: number): void;
  close(booking: Booking): void;
};

export type Needs = {
  /** The bytes to book now. */
  bytes: number;
  /** The expected final size, if known. There must be memory for all of it. */
  expected?: number;
  /** The bytes that the request holds outside the budget while it waits. */
  unread?: number;
};

/** Requests above this size are large, and also count in the smaller budget for large requests. */
export const LARGE_BYTES = 5 * 1024 * 1024;

/** The memory that one request uses. */
export class Booking {
  readonly holder: MemoryHolder;
  /** Lower numbers go first. */
  readonly order: number;
  readonly #lender: Lender;
  held = 0;
  isClosed = false;

  constructor(lender: Lender, holder: MemoryHolder, order: number) {
    this.#lender = lender;
    this.holder = holder;
    this.order = order;
  }

  /** Returns the size that would count as large with `bytes` more: all of it or nothing. */
  largeWith(bytes: number): number {
    return this.held + bytes > LARGE_BYTES ? this.held + bytes : 0;
  }

  /** Books more. Returns false if no memory became free in time, or too many requests wait already. */
  grow(bytes: number, needs: Omit<Needs, 'bytes'> = {}): MaybeLater<boolean> {
    return this.isClosed || this.#lender.lend(this, { bytes, ...needs });
  }

  /** Books more if it fits at once and no older request is held up by it. Returns false otherwise. */
  growNow(bytes: number): boolean {
    return this.isClosed || this.#lender.lendNow(this, bytes);
  }

  /** Books memory that is in use already, even if that exceeds the budget. */
  add(bytes: number): void {
    if (!this.isClosed) this.#lender.take(this, bytes);
  }

  /** Gives back everything above `bytes`. */
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
