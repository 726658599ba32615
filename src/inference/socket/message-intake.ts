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
  /** Books the messages that wait, which have this many characters. Returns false without memory for them. */
  keepWaiting(characters: number): boolean;
  /** Takes the event of a message. Never throws. The next message waits for the promise, if there is one. */
  take(event: JsonBody): MaybeLater<void>;
  /** Sends a refusal. Returns a promise if the client is slow to read. */
  refuse(refusal: Refusal): MaybeLater<void>;
  /** Closes the connection of a client that sends and does not read. */
  abandon(): void;
};

/** The messages that wait for the one before them. */
const MAX_WAITING = 1_000;
const MAX_WAITING_CHARACTERS = MAX_BODY_BYTES;

/**
 * Parses the messages of one WebSocket in their order. A long one books memory, and gives way to other
 * requests, as a body over HTTP does. Messages wait until the client has read the answers before them.
 */
export class MessageIntake {
  readonly #parts: MessageIntakeParts;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #isWorking = false;

  constructor(parts: MessageIntakeParts) {
    this.#parts = parts;
  }

  add(message: string): void {
    if (this.#isWorking) this.#addWaiting(message);
    else if (message.length > UNCOUNTED_BODY_BYTES) void this.#workFrom(this.#parseLong(message));
    else {
      const taking = this.#take(parseBodyAtOnce(message));
      if (taking instanceof Promise) void this.#workFrom(taking);
    }
  }

  /** Drops the messages that wait. */
  close(): void {
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  #addWaiting(message: string) {
    const characters = this.#waitingCharacters + message.length;
    if (!this.#mayWait(characters)) {
      const reading = this.#parts.refuse(new Refusal('concurrency_limit_exceeded'));
      return reading instanceof Promise ? this.#parts.abandon() : undefined;
    }
    this.#waiting.push(message);
    this.#waitingCharacters = characters;
  }

  #mayWait(characters: number): boolean {
    const isFull =
      this.#waiting.length > 0 &&
      (this.#waiting.length >= MAX_WAITING || characters > MAX_WAITING_CHARACTERS);
    return !isFull && this.#parts.keepWaiting(characters);
  }

  /** Waits for the first message, and then works on those that have arrived meanwhile. */
  async #workFrom(first: Promise<void>): Promise<void> {
    this.#isWorking = true;
    try {
      await first;
      for (let message = this.#next(); message !== undefined; message = this.#next())
        await this.#parseLong(message);
    } finally {
      this.#isWorking = false;
    }
  }

  #next(): string | undefined {
    const message = this.#waiting.shift();
    if (message === undefined) return undefined;
    this.#waitingCharacters -= message.length;
    this.#parts.keepWaiting(this.#waitingCharacters);
    return message;
  }

  async #parseLong(message: string): Promise<void> {
    const { yieldQueue, openMemory, refuse } = this.#parts;
    const booking = openMemory();
    try {
      if (!(await booking.grow(bytesFor(message)))) return await refuse(outOfMemory());
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
