import { Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { lookUp } from '../../base/lib/records.ts';
import { type BodyReading, collectText, collectWhole } from './collect-body.ts';
import {
  type AnswerText,
  type HttpAnswer,
  type HttpRequest,
  NoMemoryForAnswer,
  type WholeBody,
} from './http-answer.ts';

/** The codings that hosts and proxies use although the gateway asks for none. */
const decoders: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  // The name means the zlib format. Some hosts send raw deflate data, which the first byte distinguishes.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
};

/**
 * Streams of events compress about twentyfold. Beyond the size limit, a higher ratio than this is an attack.
 */
const MAX_RATIO = 200;
/** The part of a whole answer that needs no booking of memory. */
const FREE_BYTES = 512 * 1024;

type Reserving = Pick<HttpRequest, 'reserveMemory'>;

/** Returns an answer with a decoded body. An answer without a known coding stays as it is. */
export function decodedAnswer(answer: HttpAnswer, reserving: Reserving): HttpAnswer {
  const coding = answer.get('content-encoding')?.toLowerCase();
  const makeDecoder = lookUp(decoders, coding);
  return makeDecoder ? new DecodedAnswer(answer, makeDecoder, reserving) : answer;
}

/** Decodes a body while it is read. Only bounded parts of it are held, in both forms. */
class DecodedAnswer implements HttpAnswer {
  readonly #answer: HttpAnswer;
  readonly #makeDecoder: (first: Uint8Array) => Transform;
  readonly #reserveMemory: Reserving['reserveMemory'];
  #decoder: Transform | undefined;
  #pieces: AsyncIterator<Uint8Array> | undefined;
  /** The failure of the call, which the decoder may replace by its own. */
  #error: unknown;
  #encodedBytes = 0;
  #decodedBytes = 0;
  readonly #reading: BodyReading = {
    next: () => this.read(),
    book: (bytes) => this.#book(bytes),
    cancel: () => this.cancel(),
  };

  constructor(
    answer: HttpAnswer,
    makeDecoder: (first: Uint8Array) => Transform,
    { reserveMemory }: Reserving,
  ) {
    this.#answer = answer;
    this.#makeDecoder = makeDecoder;
    this.#reserveMemory = reserveMemory;
  }

  get status(): number {
    return this.#answer.status;
  }

  get maxBytes(): number {
    return this.#answer.maxBytes;
  }

  get(name: string): string | null {
    return name === 'content-encoding' ? null : this.#answer.get(name);
  }

  async read(): Promise<Uint8Array | undefined> {
    this.#pieces ??= await this.#begin();
    try {
      const { value, done } = await this.#pieces.next();
      if (done) return undefined;
      this.#decodedBytes += value.byteLength;
      if (this.#isBomb()) throw new RangeError('the decoded answer exceeds the size limit');
      return value;
    } catch (error) {
      this.cancel();
      throw this.#error ?? error;
    }
  }

  readText(maxBytes = this.maxBytes): Promise<AnswerText> {
    return collectText(this.#reading, maxBytes);
  }

  readWhole(): Promise<WholeBody> {
    return collectWhole(this.#reading, this.maxBytes);
  }

  cancel(): void {
    this.#answer.cancel();
    this.#decoder?.destroy();
  }

  async #begin(): Promise<AsyncIterator<Uint8Array>> {
    const first = (await this.#answer.read()) ?? new Uint8Array();
    const decoder = this.#makeDecoder(first);
    this.#decoder = decoder;
    const encoded = Readable.from(this.#encoded(first), { objectMode: false, highWaterMark: 1 });
    encoded.on('error', (error) => decoder.destroy(error));
    encoded.pipe(decoder);
    return decoder[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>; // decoders yield bytes
  }

  async *#encoded(first: Uint8Array): AsyncGenerator<Uint8Array> {
    try {
      for (let piece: Uint8Array | undefined = first; piece; piece = await this.#answer.read()) {
        this.#encodedBytes += piece.byteLength;
        yield piece;
      }
    } catch (error) {
      this.#error = error;
      throw error;
    }
  }

  #isBomb(): boolean {
    return this.#decodedBytes > this.maxBytes && this.#decodedBytes > this.#encodedBytes * MAX_RATIO;
  }

  async #book(bytes: number): Promise<void> {
    if (this.#decodedBytes <= FREE_BYTES) return;
    const isReserved = (await this.#reserveMemory?.(bytes)) ?? true;
    if (isReserved) return;
    this.cancel();
    throw new NoMemoryForAnswer('not enough memory for the answer');
  }
}
