import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import { CallDeadline } from './call-deadline.ts';
import type { DueWatch } from './due-watch.ts';
import {
  type AnswerText,
  CallEnded,
  type HttpAnswer,
  type HttpRequest,
  LARGE_ANSWER_BYTES,
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

class FetchedCall implements HttpAnswer {
  readonly #controller = new AbortController();
  readonly #deadline: CallDeadline;
  readonly maxBytes: number;
  readonly #reserveMemory: HttpRequest['reserveMemory'];
  #response: Response | undefined;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #hasBegun = false;
  #error: Error | undefined;

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

  async readText(maxBytes = this.maxBytes): Promise<AnswerText> {
    const { pieces, isCut } = await this.#collect(maxBytes);
    return { text: textOf(pieces), isCut };
  }

  async readWhole(): Promise<WholeBody> {
    const { pieces, isCut } = await this.#collect(this.maxBytes);
    const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return isCut || length < LARGE_ANSWER_BYTES ? { text: textOf(pieces), isCut } : { pieces };
  }

  async #collect(maxBytes: number): Promise<{ pieces: Uint8Array[]; isCut: boolean }> {
    const pieces: Uint8Array[] = [];
    let remainingBytes = maxBytes;
    for (let bytes = await this.#next(); bytes; bytes = await this.#next()) {
      pieces.push(bytes.subarray(0, remainingBytes));
      remainingBytes -= bytes.byteLength;
      if (!((await this.#reserveMemory?.(bytes.byteLength)) ?? true))
        throw this.#failFor(new NoMemoryForAnswer());
      if (remainingBytes >= 0) continue;
      this.cancel();
      return { pieces, isCut: true };
    }
    return { pieces, isCut: false };
  }

  #failFor(error: Error): Error {
    this.fail(error);
    return error;
  }

  cancel(): void {
    this.fail(new CallEnded('the call was canceled'));
  }

  fail(error: Error): void {
    this.#error ??= error;
    this.#deadline.close();
    this.#controller.abort(error);
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

const textOf = (pieces: readonly Uint8Array[]): string => new TextDecoder().decode(Buffer.concat(pieces));
