/** The connection that a pump writes to, and the call that receives its progress. */
export type PumpEnds = {
  /** Writes a piece. The promise resolves when the socket has taken all of it. */
  write(piece: Uint8Array): Promise<void> | undefined;
  /** The socket has taken a piece. */
  onPieceSent(): void;
  /** The socket has taken the whole body. */
  onBodySent(): void;
  onFailure(error: Error): void;
};

/** Sends a body piece by piece, at the pace of the socket. One piece at a time is in memory. */
export class BodyPump {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #ends: PumpEnds;
  #isStopped = false;
  isDone = false;

  constructor(pieces: AsyncIterator<Uint8Array>, ends: PumpEnds) {
    this.#pieces = pieces;
    this.#ends = ends;
  }

  /** Starts when `before` is taken, which is the head of the request. */
  async run(before: Promise<void> | undefined): Promise<void> {
    try {
      await before;
      while (!this.#isStopped) {
        const { value, done } = await this.#pieces.next();
        if (this.#isStopped) return;
        if (done) return this.#finish();
        await this.#ends.write(value);
        if (!this.#isStopped) this.#ends.onPieceSent();
      }
    } catch (error) {
      if (!this.#isStopped) this.#ends.onFailure(error as Error);
    }
  }

  /** Sends no further piece. */
  stop(): void {
    this.#isStopped = true;
    void this.#pieces.return?.();
  }

  #finish(): void {
    this.isDone = true;
    this.#ends.onBodySent();
  }
}
