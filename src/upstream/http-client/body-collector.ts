import type { BodyQueue } from './body-queue.ts';
import {
  type AnswerText,
  type HttpRequest,
  LARGE_ANSWER_BYTES,
  NoMemoryForAnswer,
  type WholeBody,
} from './http-answer.ts';

/** The step in which memory for a whole body is booked, from the second step on. */
const STEP_BYTES = 512 * 1024;

/** The call whose body is collected. */
export type CollectedCall = {
  readonly request: Pick<HttpRequest, 'reserveMemory'>;
  readonly queue: BodyQueue;
  /** The length of the body that its head names, within the size limit. It is 0 if no length is named. */
  readonly announcedBytes: number;
  pause(): void;
  resume(): void;
  cancel(): void;
  fail(error: Error): void;
};

/** Follows the arrival of a body that is read as a whole. */
export type BodyFollower = {
  /** More of the body is in the queue. */
  check(): void;
  /** The whole body is in the queue. */
  end(): void;
  fail(error: Error): void;
};

/** Collects the body of a call in its queue, and converts it at its end. */
export class BodyCollector<T extends WholeBody> implements BodyFollower {
  readonly body: Promise<T | AnswerText>;
  readonly #call: CollectedCall;
  readonly #maxBytes: number;
  readonly #convert: (queue: BodyQueue) => T;
  readonly #resolve: (body: T | AnswerText) => void;
  readonly #reject: (error: Error) => void;
  #bookedBytes = STEP_BYTES;

  constructor(call: CollectedCall, maxBytes: number, convert: (queue: BodyQueue) => T) {
    const { promise, resolve, reject } = Promise.withResolvers<T | AnswerText>();
    this.body = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#call = call;
    this.#maxBytes = maxBytes;
    this.#convert = convert;
  }

  /** Ends the call if more has arrived than the limit. Otherwise it books memory for what has arrived. */
  check(): void {
    const { queue } = this.#call;
    if (queue.byteLength > this.#maxBytes) {
      this.#resolve(startOf(queue, this.#maxBytes));
      this.#call.cancel();
    } else if (queue.byteLength > this.#bookedBytes) this.#book();
  }

  end(): void {
    this.#resolve(this.#convert(this.#call.queue));
  }

  fail(error: Error): void {
    this.#reject(error);
  }

  /**
   * Books memory before reading on. An answer of known length books all of it at once. Otherwise several
   * half-booked answers would wait for each other.
   */
  #book(): void {
    const { request, queue, announcedBytes } = this.#call;
    const bytes = Math.max(queue.byteLength + STEP_BYTES, announcedBytes) - this.#bookedBytes;
    this.#bookedBytes += bytes;
    const booking = request.reserveMemory?.(bytes) ?? true;
    if (booking === true) return;
    this.#call.pause();
    void Promise.resolve(booking).then((isBooked) => {
      if (isBooked) this.#call.resume();
      else this.#call.fail(new NoMemoryForAnswer('not enough memory for the answer'));
    });
  }
}

/** Converts the start of a body that is longer than its limit. */
export const startOf = (queue: BodyQueue, maxBytes: number): AnswerText => ({
  text: queue.takeText(maxBytes),
  isCut: true,
});

/** Converts a complete body to text. */
export const wholeText = (queue: BodyQueue): AnswerText => ({ text: queue.takeText(), isCut: false });

/** Converts a complete body to text, unless that would block other requests. */
export const wholeBody = (queue: BodyQueue): WholeBody =>
  queue.byteLength < LARGE_ANSWER_BYTES ? wholeText(queue) : { pieces: queue.takePieces() };
