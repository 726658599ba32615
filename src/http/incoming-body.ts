import type { ArrivalClock } from './arrival-clock.ts';

/** Of a stream's reader, as the runtime's types and the platform's both have it. */
type ChunkReader = { read(): Promise<{ value?: Uint8Array | undefined }>; cancel(): Promise<void> };

export type Filled = 'ended' | 'full' | 'late';

/** A body that is read chunk by chunk into a buffer of a size that its reader allows it. */
export class IncomingBody {
  readonly #reader: ChunkReader;
  readonly #clock: ArrivalClock;
  #buffer: Uint8Array = new Uint8Array();
  #size = 0;
  /** The chunk that did not fit any more. */
  #rest: Uint8Array | undefined;

  constructor(body: ReadableStream<Uint8Array>, clock: ArrivalClock) {
    this.#reader = body.getReader();
    this.#clock = clock;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#size);
  }

  /** Reads on until the body ends, or is longer than `capacity` in all. */
  fill(capacity: number): Promise<Filled> {
    // Not zeroed: pages that nothing was written to cost no memory.
    const buffer = Buffer.allocUnsafeSlow(capacity);
    buffer.set(this.bytes);
    this.#buffer = buffer;
    return this.#read((chunk) => {
      if (this.#size + chunk.byteLength > capacity) return false;
      buffer.set(chunk, this.#size);
      this.#size += chunk.byteLength;
      return true;
    });
  }

  /** Reads on and keeps nothing, until the body ends or is longer than `limit` in all. */
  drain(limit: number): Promise<Filled> {
    this.#buffer = new Uint8Array();
    let passed = this.#size;
    this.#size = 0;
    return this.#read((chunk) => {
      passed += chunk.byteLength;
      return passed <= limit;
    });
  }

  /** The sender may go on; nobody listens. */
  cancel(): Promise<void> {
    return this.#reader.cancel().catch(() => {});
  }

  async #read(take: (chunk: Uint8Array) => boolean): Promise<Filled> {
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
        if (!take(chunk)) {
          this.#rest = chunk;
          return 'full';
        }
      }
    } finally {
      unwatch();
    }
  }
}
