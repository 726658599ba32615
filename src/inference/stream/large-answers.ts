import { Refusal } from '../../base/errors/refusal.ts';
import { RoundRobinQueue } from '../../base/lib/round-robin-queue.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type {
  LargeAnswer,
  LargeAnswerMessage,
  LargeAnswerOrder,
  LargeAnswerReply,
} from '../../translation/contract/large-answer.ts';
import { RefusedAnswer } from '../../translation/contract/refused-answer.ts';

/** The thread that converts one answer. */
export type AnswerThread = Pick<
  Worker,
  'postMessage' | 'terminate' | 'unref' | 'onmessage' | 'onerror' | 'addEventListener'
>;

export type LargeAnswersParts = { start: () => AnswerThread; yieldQueue: YieldQueue; timeoutMs?: number };

/** An answer that waits for its thread. */
type Conversion = {
  pieces: Uint8Array[];
  order: () => LargeAnswerOrder;
  resolve(made: LargeAnswer): void;
  reject(error: unknown): void;
};

/** The bytes that are copied for the thread at a time. Copying them takes half a millisecond. */
const PARCEL_BYTES = 512 * 1024;
/** The time limit of one answer. An answer of 64 MB takes a second on an idle core. */
const TIMEOUT_MS = 60_000;

/**
 * Converts upstreams' large answers for the clients, one at a time, with the accounts in turn. Each answer
 * has a thread of its own, since the memory of an ended thread is free at once. A reused thread would keep
 * 300 MB more at the peak, until several collections later.
 */
export class LargeAnswers {
  readonly #start: () => AnswerThread;
  readonly #yieldQueue: YieldQueue;
  readonly #timeoutMs: number;
  readonly #waiting = new RoundRobinQueue<Conversion>();
  #isAtWork = false;
  /** Ends the conversion that runs with an error. */
  #fail: ((why: string) => void) | undefined;
  #isClosed = false;

  constructor({ start, yieldQueue, timeoutMs = TIMEOUT_MS }: LargeAnswersParts) {
    this.#start = start;
    this.#yieldQueue = yieldQueue;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Converts the answer with these pieces. Rejects with a RefusedAnswer if the upstream refused, and with
   * another error if the answer is invalid.
   */
  read(account: string, pieces: Uint8Array[], order: () => LargeAnswerOrder): Promise<LargeAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<LargeAnswer>();
    const remove = this.#waiting.add(account, { pieces, order, resolve, reject });
    promise.then(remove, remove);
    if (!this.#isAtWork) void this.#work();
    return promise;
  }

  close(): void {
    this.#isClosed = true;
    this.#fail?.('the server is stopping');
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    for (let next = this.#waiting.next(); next; next = this.#waiting.next()) {
      try {
        next.resolve(await this.#convert(next));
      } catch (error) {
        next.reject(error);
      }
      await this.#yieldQueue.next(); // the answer has left the queue by then
    }
    this.#isAtWork = false;
  }

  async #convert({ pieces, order }: Conversion): Promise<LargeAnswer> {
    if (this.#isClosed) throw new Error('the server is stopping');
    const thread = this.#start();
    thread.unref();
    const { promise, resolve, reject } = Promise.withResolvers<LargeAnswerReply>();
    const lose = (why: string) => reject(new Error(why));
    this.#fail = lose;
    thread.onmessage = ({ data }: MessageEvent<LargeAnswerReply>) => resolve(data);
    thread.onerror = (event) => {
      event.preventDefault();
      lose(event.message);
    };
    thread.addEventListener('close', () => lose('the thread of the large answer ended'));
    const timer = setTimeout(() => lose('the large answer took too long'), this.#timeoutMs);
    try {
      await Promise.race([this.#send(thread, pieces), promise]);
      thread.postMessage({ order: order() } satisfies LargeAnswerMessage);
      return madeOf(await promise);
    } finally {
      clearTimeout(timer);
      this.#fail = undefined;
      thread.terminate();
    }
  }

  /** Sends the pieces to the thread, and releases each piece once the thread has it. */
  async #send(thread: AnswerThread, pieces: Uint8Array[]): Promise<void> {
    pieces.reverse();
    while (pieces.length > 0) {
      const piece = takeParcel(pieces);
      thread.postMessage({ piece } satisfies LargeAnswerMessage, [piece.buffer]);
      await this.#yieldQueue.next();
    }
  }
}

/** Takes the next bytes as a transferable buffer of their own. The pieces are in reverse order. */
function takeParcel(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (pieces.length > 0 && length < PARCEL_BYTES) {
    const piece = pieces.pop()!;
    const part = piece.subarray(0, PARCEL_BYTES - length);
    if (part.byteLength < piece.byteLength) pieces.push(piece.subarray(part.byteLength));
    parts.push(part);
    length += part.byteLength;
  }
  const parcel = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    parcel.set(part, at);
    at += part.byteLength;
  }
  return parcel;
}

function madeOf(reply: LargeAnswerReply): LargeAnswer {
  if (reply.kind === 'made') return reply.made;
  if (reply.kind === 'refused') throw new RefusedAnswer(new Refusal(reply.code, reply.details));
  throw new SyntaxError(reply.message);
}
