import { LEAST_PROGRESS_BYTES } from '../connections/connection.ts';
import type { BodyPiece, BodyWriter, Reply, WrittenBody } from './reply.ts';

/** Nobody takes the body any more: the client has left, or it has stopped reading. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

export type BodyWatch = {
  /** Aborted when the client leaves. */
  client: AbortSignal;
  /** How long a reader may leave a piece lying. */
  stalledMs: number;
  /** How much the reader has taken so far; undefined where nobody can tell. */
  bytesTaken(): number | undefined;
  failed(error: unknown): void;
  /** Before its last byte leaves. */
  ending(): void;
  /** Once, however it ends. */
  finished(): void;
};

/**
 * What the runtime gives to write to. It takes every piece, whether there is room or not: a promise says that the connection is full, and
 * is kept when it has drained. Whoever waits for it has one piece in memory beyond the socket's buffers, whoever does not has them all.
 */
type Sink = { write(piece: BodyPiece): number | Promise<number>; flush(): void; close(): void };

/** The body as a function that writes it; undefined for what is sent whole. */
export function asWritten(body: Reply['body']): WrittenBody | undefined {
  if (typeof body === 'function') return body;
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return undefined;
  return async (writer) => {
    for await (const piece of body) {
      const taken = writer.write(piece);
      if (taken) await taken;
    }
  };
}

/** A response body that is written, which costs a fifth less per piece than one that is pulled from. */
export function streamBody(body: WrittenBody, watch: BodyWatch): ReadableStream {
  let isStarted = false;
  async function run(sink: Sink): Promise<void> {
    isStarted = true;
    try {
      await body(new SinkWriter(sink, watch));
      watch.ending();
      sink.close();
    } catch (error) {
      if (!(error instanceof ReaderGone)) watch.failed(error);
      if (!watch.client.aborted) throw error;
    } finally {
      watch.finished();
    }
  }
  const source = {
    type: 'direct',
    pull: run,
    // A client that left before the first piece: the body still has to end in good order.
    cancel: () => (isStarted ? undefined : run(NOWHERE)),
  };
  return new ReadableStream(source as unknown as Bun.DirectUnderlyingSource);
}

const NOWHERE: Sink = { write: () => 0, flush() {}, close() {} };

class SinkWriter implements BodyWriter {
  readonly #sink: Sink;
  readonly #watch: BodyWatch;
  #isStalled = false;

  constructor(sink: Sink, watch: BodyWatch) {
    this.#sink = sink;
    this.#watch = watch;
  }

  write(piece: BodyPiece): Promise<void> | undefined {
    if (this.#isStalled || this.#watch.client.aborted) throw new ReaderGone();
    const written = this.#sink.write(piece);
    this.#sink.flush();
    return typeof written === 'number' ? undefined : this.#taken(written);
  }

  /**
   * The runtime waits for a reader that has stopped as long as it takes, and calls what was written to one that has left taken. A reader is
   * noticed to have stopped only when the buffers of both sockets are full: 4 MB on one machine, so that a short answer never tells. A slow
   * one takes minutes for as much: it is not cut while it comes on.
   */
  #taken(written: Promise<number>): Promise<void> {
    const { client, stalledMs } = this.#watch;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const give = () => {
      this.#isStalled = true;
      reject(new ReaderGone());
    };
    let before = this.#watch.bytesTaken();
    const judge = () => {
      const now = this.#watch.bytesTaken();
      if (now === undefined || (before !== undefined && now - before < LEAST_PROGRESS_BYTES)) return give();
      before = now;
      timer = setTimeout(judge, stalledMs);
    };
    let timer = setTimeout(judge, stalledMs);
    client.addEventListener('abort', give);
    written.then(() => resolve(), reject);
    const settled = () => {
      clearTimeout(timer);
      client.removeEventListener('abort', give);
    };
    promise.then(settled, settled);
    return promise;
  }
}
