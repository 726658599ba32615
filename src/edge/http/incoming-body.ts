import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { ArrivalClock, ArrivalWatch } from './arrival-clock.ts';
import { discard } from './discard.ts';

/** A stream's reader, as both the runtime's types and the platform's types declare it. */
type ChunkReader = { read(): Promise<{ value?: Uint8Array | undefined }>; cancel(): Promise<void> };

export type FillOutcome = 'ended' | 'full' | 'late';

/** Reads a body chunk by chunk into a buffer, up to the allowed size. */
export class IncomingBody {
  readonly #reader: ChunkReader;
  readonly #clock: ArrivalClock;
  readonly #times: number;
  #buffer: Buffer | undefined;
  #size = 0;
  /** The number of bytes that may be kept so far. */
  allowed = 0;
  /** Bytes that did not fit. */
  #rest: Uint8Array | undefined;

  /** `times`: how many times the usual limit the body may take to arrive. */
  constructor(body: ReadableStream<Uint8Array>, clock: ArrivalClock, times = 1) {
    this.#reader = body.getReader();
    this.#clock = clock;
    this.#times = times;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Uint8Array {
    return this.#buffer?.subarray(0, this.#size) ?? new Uint8Array();
  }

  /** Reads until the body ends or exceeds the allowed size, which is at most `capacity`. */
  fill(capacity: number): Promise<FillOutcome> {
    // Not zeroed: untouched pages use no memory.
    this.#buffer ??= Buffer.allocUnsafeSlow(capacity);
    return this.#read((chunk) => this.#keep(chunk));
  }

  /** Reads and discards until the body ends or is longer than `limit` in total. */
  drain(limit: number): Promise<FillOutcome> {
    if (this.#buffer) discard(this.#buffer);
    this.#buffer = undefined;
    let passed = this.#size;
    this.#size = 0;
    return this.#read((chunk) => {
      passed += chunk.byteLength;
      return passed <= limit ? undefined : chunk;
    });
  }

  /**
   * Hands over each chunk, which `take` may use only until it returns. Stops with `full` if `take` does not
   * want more.
   */
  each(take: (chunk: Uint8Array) => MaybeLater<boolean>): Promise<FillOutcome> {
    return this.#read((chunk) => {
      this.#size += chunk.byteLength;
      return andThen(take(chunk), (wantsMore) => (wantsMore ? undefined : chunk));
    });
  }

  /** Stops reading. The sender can continue, but its data is ignored. */
  cancel(): Promise<void> {
    if (this.#rest) discard(this.#rest);
    this.#rest = undefined;
    // The body of a client that has left has ended already.
    return this.#reader.cancel().catch(() => {});
  }

  /** Returns the part that does not fit. */
  #keep(chunk: Uint8Array): Uint8Array | undefined {
    const fitting = Math.min(chunk.byteLength, this.allowed - this.#size);
    this.#buffer!.set(fitting === chunk.byteLength ? chunk : chunk.subarray(0, fitting), this.#size);
    this.#size += fitting;
    return fitting === chunk.byteLength ? undefined : chunk.subarray(fitting);
  }

  async #read(take: (chunk: Uint8Array) => MaybeLater<Uint8Array | undefined>): Promise<FillOutcome> {
    const arrival = { received: 0 };
    let isLate = false;
    const expire = () => {
      isLate = true;
      void this.cancel(); // ends the pending read
    };
    const watch = this.#clock.watch(arrival, expire, this.#times);
    try {
      for (;;) {
        const chunk = this.#rest ?? (await this.#reader.read()).value;
        this.#rest = undefined;
        if (isLate) return 'late';
        if (chunk === undefined) return 'ended';
        arrival.received += chunk.byteLength;
        const taking = take(chunk);
        this.#rest = taking instanceof Promise ? await unhurried(taking, watch) : taking;
        if (this.#rest) return 'full';
        discard(chunk);
      }
    } finally {
      watch.end();
    }
  }
}

/** Waits for memory or for the disk, which is not a delay of the client. */
async function unhurried<T>(taking: Promise<T>, watch: ArrivalWatch): Promise<T> {
  watch.pause();
  try {
    return await taking;
  } finally {
    watch.resume();
  }
}
