import type { ArrivalClock } from './arrival-clock.ts';
import { discard } from './discard.ts';

/** Of a stream's reader, as the runtime's types and the platform's both have it. */
type ChunkReader = { read(): Promise<{ value?: Uint8Array | undefined }>; cancel(): Promise<void> };

export type Filled = 'ended' | 'full' | 'late';

/** A body that is read chunk by chunk into a buffer, as far as its reader allows it. */
export class IncomingBody {
  readonly #reader: ChunkReader;
  readonly #clock: ArrivalClock;
  #buffer: Buffer | undefined;
  #size = 0;
  /** How much of it may be kept by now. */
  allowed = 0;
  /** What did not fit any more. */
  #rest: Uint8Array | undefined;

  constructor(body: ReadableStream<Uint8Array>, clock: ArrivalClock) {
    this.#reader = body.getReader();
    this.#clock = clock;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Uint8Array {
    return this.#buffer?.subarray(0, this.#size) ?? new Uint8Array();
  }

  /** Reads on until the body ends, or there is more of it than is allowed, which is never more than `capacity`. */
  fill(capacity: number): Promise<Filled> {
    // Not zeroed: pages that nothing was written to cost no memory.
    this.#buffer ??= Buffer.allocUnsafeSlow(capacity);
    return this.#read((chunk) => this.#keep(chunk));
  }

  /** Reads on and keeps nothing, until the body ends or is longer than `limit` in all. */
  drain(limit: number): Promise<Filled> {
    if (this.#buffer) discard(this.#buffer);
    this.#buffer = undefined;
    let passed = this.#size;
    this.#size = 0;
    return this.#read((chunk) => {
      passed += chunk.byteLength;
      return passed <= limit ? undefined : chunk;
    });
  }

  /** The sender may go on; nobody listens. */
  cancel(): Promise<void> {
    if (this.#rest) discard(this.#rest);
    this.#rest = undefined;
    return this.#reader.cancel().catch(() => {});
  }

  /** What there is no room for comes back. */
  #keep(chunk: Uint8Array): Uint8Array | undefined {
    const fitting = Math.min(chunk.byteLength, this.allowed - this.#size);
    this.#buffer!.set(fitting === chunk.byteLength ? chunk : chunk.subarray(0, fitting), this.#size);
    this.#size += fitting;
    return fitting === chunk.byteLength ? undefined : chunk.subarray(fitting);
  }

  async #read(take: (chunk: Uint8Array) => Uint8Array | undefined): Promise<Filled> {
    const arrival = { received: 0 };
    let isLate = false;
    const unwatch = this.#clock.watch(arrival, () => {
      isLate = true;
      void this.cancel(); // ends the read under way
    });
    try {
      for (;;) {
        const chunk = this.#rest ?? (await this.#reader.read()).value;
        this.#rest = undefined;
        if (isLate) return 'late';
        if (chunk === undefined) return 'ended';
        arrival.received += chunk.byteLength;
        this.#rest = take(chunk);
        if (this.#rest) return 'full';
        discard(chunk);
      }
    } finally {
      unwatch();
    }
  }
}
