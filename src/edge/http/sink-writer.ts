import { MIN_PROGRESS_BYTES } from '../connections/client-connection.ts';
import { ReaderGone } from './reader-gone.ts';
import type { BodyPiece, BodyWriter } from './reply.ts';

export type ReaderWatch = {
  /** Aborts when the client leaves. */
  client: AbortSignal;
  /**
   * The longest time without progress of a reader. A stopped reader is noticed only when the buffers of both
   * sockets are full: 4 MB on one machine, so a short answer never reveals it. A slow reader can need minutes
   * for that much.
   */
  stalledMs: number;
  /**
   * Returns the bytes that the reader has taken so far, or undefined if that is unknown. Without a count the
   * reader must take each piece within `stalledMs`.
   */
  bytesTaken(): number | undefined;
};

/**
 * The runtime's writer. It takes every piece. A returned promise means that the connection is full, and
 * resolves when the connection has drained. A writer that waits for it keeps one piece in memory beyond the
 * socket's buffers; one that does not wait keeps them all.
 */
export type Sink = { write(piece: BodyPiece): number | Promise<number>; flush(): void; close(): void };

/**
 * Writes the pieces of a body to the runtime. Its writes fail once the reader has left or has stopped
 * reading.
 */
export class SinkWriter implements BodyWriter {
  readonly #sink: Sink;
  readonly #watch: ReaderWatch;
  #isStalled = false;

  constructor(sink: Sink, watch: ReaderWatch) {
    this.#sink = sink;
    this.#watch = watch;
  }

  write(piece: BodyPiece): Promise<void> | undefined {
    if (this.#isStalled || this.#watch.client.aborted) throw new ReaderGone();
    const written = this.#sink.write(piece);
    this.#sink.flush();
    return typeof written === 'number' ? undefined : this.#waitUntilTaken(written);
  }

  /**
   * Waits until the reader has taken the piece, or makes no progress. The runtime waits for a stopped reader
   * indefinitely, and treats data written to a closed connection as taken.
   */
  #waitUntilTaken(written: Promise<number>): Promise<void> {
    const { client, stalledMs } = this.#watch;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#isStalled = true;
      reject(new ReaderGone());
    };
    let before = this.#watch.bytesTaken();
    const checkProgress = () => {
      const now = this.#watch.bytesTaken();
      if (now === undefined || (before !== undefined && now - before < MIN_PROGRESS_BYTES)) return giveUp();
      before = now;
      timer = setTimeout(checkProgress, stalledMs);
    };
    let timer = setTimeout(checkProgress, stalledMs);
    client.addEventListener('abort', giveUp);
    written.then(() => resolve(), reject);
    const settled = () => {
      clearTimeout(timer);
      client.removeEventListener('abort', giveUp);
    };
    promise.then(settled, settled);
    return promise;
  }
}
