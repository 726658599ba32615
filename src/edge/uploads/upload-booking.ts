import { UNCOUNTED_BODY_BYTES, UNREAD_BYTES } from '../../base/json/body-sizes.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { KeptUpload } from './kept-upload.ts';

/** The step in which memory is booked: the most that the runtime buffers. */
const STEP_BYTES = UNREAD_BYTES;

/** Books memory for a form while it arrives. */
export class UploadBooking {
  readonly #booking: Booking;
  readonly #upload: KeptUpload;
  /** The bytes that the exchange had booked before its form arrived. */
  readonly #bookedBefore: number;

  constructor(booking: Booking, upload: KeptUpload) {
    this.#booking = booking;
    this.#upload = upload;
    this.#bookedBefore = booking.held;
  }

  /**
   * Books the upload's bytes in memory, plus as many as have arrived, up to a step. Returns false if no
   * memory is free in time.
   */
  cover(received: number): MaybeLater<boolean> {
    if (received <= UNCOUNTED_BODY_BYTES) return true;
    const needed = this.#bookedBefore + this.#upload.heldBytes + Math.min(received, STEP_BYTES);
    const booked = this.#booking.held;
    if (booked - STEP_BYTES >= needed) this.#booking.shrink(needed);
    if (booked >= needed) return true;
    const unread = booked === this.#bookedBefore ? UNREAD_BYTES : 0;
    return this.#booking.grow(needed - booked, { unread });
  }

  /** Gives back the memory of the form. */
  clear(): void {
    this.#booking.shrink(this.#bookedBefore);
  }

  /** Books the memory of a form that has arrived, instead of what its arrival needed. */
  keep(bytes: number): void {
    this.clear();
    this.#booking.add(bytes);
  }
}
