import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import { CallDeadline } from './call-deadline.ts';
import { type BodyReading, collectText, collectWhole } from './collect-body.ts';
import type { DueWatch } from './due-watch.ts';
import {
  type AnswerText,
  CallEnded,
  type HttpAnswer,
  type HttpRequest,
  NoMemoryForAnswer,
  type WholeBody,
} from './http-answer.ts';
import { traceFields } from './trace-fields.ts';

/**
 * Sends a request with the runtime's own client, if the environment names a proxy. The runtime supports
 * tunnels, proxy credentials and exceptions.
 */
export async function fetchThroughProxy(request: HttpRequest, dues: DueWatch): Promise<HttpAnswer> {
  const call = new FetchedCall(request, dues);
  await call.begin(request);
  return call;
}

/** A call that the runtime's client has made. */
class FetchedCall implements HttpAnswer {
  readonly #controller = new AbortController();
  readonly #deadline: CallDeadline;
  readonly maxBytes: number;
  readonly #reserveMemory: HttpRequest['reserveMemory'];
  #response: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #hasBegun = false;
  #error: Error | undefined;
  readonly #reading: BodyReading = {
    next: () => this.#next(),
    book: (bytes) => this.#book(bytes),
    cancel: () => this.cancel(),
  };

  constructor(request: HttpRequest, dues: DueWatch) {
    this.#reserveMemory = request.reserveMemory;
    this.maxBytes = request.maxBytes ?? Number.POSITIVE_INFINITY;
    this.#deadline = new CallDeadline(request, dues, this);
  }

  async begin({ head, body, streamed, trace }: HttpRequest): Promise<void> {
    const headers = trace ? { ...head.headers, ...traceFields(trace) } : head.headers;
    this.#response = await this.#unlessFailed(
      fetch(head.url, {
        method: 'POST',
        headers: streamed ? { ...headers, 'content-length': String(streamed.byteLength) } : headers,
        body: streamed ? this.#piecesOf(streamed) : body,
        redirect: 'manual', // a redirect could send the key to any host
        decompress: false, // a compressed body could decode to any size
        signal: this.#controller.signal,
      }),
    );
    // The runtime's types allow readers of other kinds of streams.
    this.#reader = this.#response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  }

  /** The runtime reads the pieces at the pace of the socket. */
  async *#piecesOf({ pieces }: StreamedBody): AsyncGenerator<Uint8Array> {
    const source = pieces();
    for (let next = await source.next(); !next.done; next = await source.next()) {
      if (!this.#response) this.#deadline.sending();
      yield next.value;
    }
    if (!this.#response) this.#deadline.sent();
  }

  get status(): number {
    return this.#response?.status ?? 0;
  }

  get(name: string): string | null {
    return this.#response?.headers.get(name) ?? null;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#hasBegun) this.#deadline.waiting();
    const value = await this.#next();
    this.#hasBegun = true;
    this.#deadline.arrived();
    return value;
  }

  readText(maxBytes = this.maxBytes): Promise<AnswerText> {
    return collectText(this.#reading, maxBytes);
  }

  readWhole(): Promise<WholeBody> {
    return collectWhole(this.#reading, this.maxBytes);
  }

  cancel(): void {
    this.fail(new CallEnded('the call was canceled'));
  }

  fail(error: Error): void {
    this.#error ??= error;
    this.#deadline.close();
    this.#controller.abort(error);
  }

  async #book(bytes: number): Promise<void> {
    if ((await this.#reserveMemory?.(bytes)) ?? true) return;
    const error = new NoMemoryForAnswer('not enough memory for the answer');
    this.fail(error);
    throw error;
  }

  async #next(): Promise<Uint8Array | undefined> {
    const result = this.#reader && (await this.#unlessFailed(this.#reader.read()));
    if (result && !result.done) return result.value;
    this.#deadline.close();
    return undefined;
  }

  async #unlessFailed<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.fail(error as Error);
      throw this.#error;
    }
  }
}
