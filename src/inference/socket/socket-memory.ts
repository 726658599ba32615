import { KEPT_COPIES, UNCOUNTED_BODY_BYTES, WIDE_COPIES } from '../../base/json/body-sizes.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';

/**
 * The kinds of text that a WebSocket keeps: responses, turns that wait, steered input that waits, messages
 * that wait, and the beginning of a message.
 */
export type KeptText = 'recent' | 'waiting' | 'steered' | 'unread' | 'arrived';

const BYTES_OF_CHARACTER = KEPT_COPIES * WIDE_COPIES;
/** A WebSocket keeps this much even without free memory, so that short conversations go on. */
const UNREFUSED_BYTES = UNCOUNTED_BODY_BYTES * BYTES_OF_CHARACTER;
/** The sockets of one account keep at most this part of the budget. The rest is for its requests. */
const SHARE = 1 / 4;

/** The memory that the WebSockets of all accounts keep. */
export class SocketMemories {
  readonly #budget: MemoryBudget;
  readonly #kept = new Map<string, number>();

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  /** Opens the memory of one WebSocket. */
  open(account = ''): SocketMemory {
    const booking = this.#budget.open(account);
    return new SocketMemory(booking, {
      mayGrow: (bytes) => this.#keptBy(account) + bytes <= this.#budget.sizes.totalBytes * SHARE,
      count: (bytes) => this.#count(account, bytes),
    });
  }

  #keptBy(account: string): number {
    return this.#kept.get(account) ?? 0;
  }

  #count(account: string, bytes: number): void {
    const kept = this.#keptBy(account) + bytes;
    if (kept > 0) this.#kept.set(account, kept);
    else this.#kept.delete(account);
  }
}

type AccountShare = {
  /** Reports whether the sockets of the account may keep so much more. */
  mayGrow(bytes: number): boolean;
  /** Counts what the sockets of the account keep more, or less. */
  count(bytes: number): void;
};

/** The memory of the texts that one WebSocket keeps. */
export class SocketMemory {
  readonly #booking: Booking;
  readonly #share: AccountShare;
  readonly #characters = new Map<KeptText, number>();

  constructor(booking: Booking, share: AccountShare) {
    this.#booking = booking;
    this.#share = share;
  }

  /** Books what is kept of one kind from now on. Returns false, and changes nothing, without free memory. */
  keep(kind: KeptText, characters: number): boolean {
    if (this.#booking.isClosed || characters === (this.#characters.get(kind) ?? 0)) return true;
    const all = new Map(this.#characters).set(kind, characters);
    const bytes = BYTES_OF_CHARACTER * all.values().reduce((sum, length) => sum + length, 0);
    const before = this.#booking.held;
    if (!this.#grow(bytes, kind)) return false;
    this.#booking.shrink(bytes);
    this.#share.count(this.#booking.held - before);
    this.#characters.set(kind, characters);
    return true;
  }

  /** Books the bytes of an unfinished message. Returns false beyond the account's share. */
  keepArrived(bytes: number): boolean {
    return this.keep('arrived', Math.ceil(bytes / BYTES_OF_CHARACTER));
  }

  free(): void {
    this.#share.count(-this.#booking.held);
    this.#booking.free();
  }

  #grow(bytes: number, kind: KeptText): boolean {
    const more = bytes - this.#booking.held;
    if (more <= 0) return true;
    if (bytes > UNREFUSED_BYTES && !this.#share.mayGrow(more)) return false;
    // What has arrived is in memory already.
    if (bytes > UNREFUSED_BYTES && kind !== 'arrived') return this.#booking.growNow(more);
    this.#booking.add(more);
    return true;
  }
}
