import { Refusal } from '../../base/errors/refusal.ts';
import { COPIES, MAX_BODY_BYTES, UNCOUNTED_BODY_BYTES, WIDE_COPIES } from '../../base/json/body-sizes.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBody, parseBodyAtOnce } from '../../base/json/parse-body.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { Booking } from '../../base/memory/booking.ts';
import { outOfMemory } from '../../edge/http/hold-memory.ts';

export type MessageIntakeParts = {
  yieldQueue: YieldQueue;
  /** Opens a booking for the memory of a long message. */
  openMemory(): Booking;
  /** Takes the event of a message. Never throws. */
  take(event: JsonBody): MaybeLater<void>;
  refuse(refusal: Refusal): void;
};

/** The messages that wait until a long one before them is parsed. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARACTERS = MAX_BODY_BYTES;

/**
 * Parses the messages of one WebSocket in their order. A long one books memory, and gives way to other
 * requests, as a body over HTTP does.
 */
export class MessageIntake {
  readonly #parts: MessageIntakeParts;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #isParsing = false;

  constructor(parts: MessageIntakeParts) {
    this.#parts = parts;
  }

  add(message: string): void {
    if (this.#isParsing) this.#addWaiting(message);
    else if (message.length <= UNCOUNTED_BODY_BYTES) void this.#take(parseBodyAtOnce(message));
    else void this.#parseFrom(message);
  }

  /** Drops the messages that wait. */
  close(): void {
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  #addWaiting(message: string) {
    const characters = this.#waitingCharacters + message.length;
    const isFull =
      this.#waiting.length > 0 &&
      (this.#waiting.length >= MAX_WAITING || characters > MAX_WAITING_CHARACTERS);
    if (isFull) return this.#parts.refuse(new Refusal('concurrency_limit_exceeded'));
    this.#waiting.push(message);
    this.#waitingCharacters = characters;
  }

  async #parseFrom(first: string): Promise<void> {
    this.#isParsing = true;
    try {
      for (let message: string | undefined = first; message !== undefined; message = this.#next())
        await this.#parseLong(message);
    } finally {
      this.#isParsing = false;
    }
  }

  #next(): string | undefined {
    const message = this.#waiting.shift();
    this.#waitingCharacters -= message?.length ?? 0;
    return message;
  }

  async #parseLong(message: string): Promise<void> {
    const { yieldQueue, openMemory, refuse } = this.#parts;
    const booking = openMemory();
    try {
      if (!(await booking.grow(bytesFor(message)))) return refuse(outOfMemory());
      await yieldQueue.next();
      await this.#take(await parseBody(message, yieldQueue));
    } finally {
      booking.free();
    }
  }

  #take(event: JsonBody | Refusal): MaybeLater<void> {
    return event instanceof Refusal ? this.#parts.refuse(event) : this.#parts.take(event);
  }
}

function bytesFor(message: string): number {
  const bytes = Buffer.byteLength(message);
  return bytes * (COPIES + (message.length < bytes ? WIDE_COPIES : 0));
}
