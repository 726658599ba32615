import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';

const COMMENT = ': keep-alive\n\n';

/**
 * Writes a comment line after a period of silence, so that no proxy or client takes a thinking model for a dead connection. A write only
 * records the time. When the timer fires, it restarts for the rest of the period.
 */
export class KeepAliveComments implements BodyWriter {
  readonly #writer: BodyWriter;
  readonly #intervalMs: number;
  #timer: Timer;
  #writtenAt = performance.now();
  /** The last write is still waiting in the buffer, so a comment would wait too. */
  #isBehind = false;

  constructor(writer: BodyWriter, intervalMs: number) {
    this.#writer = writer;
    this.#intervalMs = intervalMs;
    this.#timer = setTimeout(this.#check, intervalMs);
  }

  write(piece: BodyPiece): Promise<void> | undefined {
    this.#writtenAt = performance.now();
    const taken = this.#writer.write(piece);
    if (taken) this.#waitFor(taken);
    return taken;
  }

  add(): void {
    if (this.#isBehind) return;
    try {
      this.write(COMMENT);
    } catch {
      this.stop(); // the client has left, and the next write will report it
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  readonly #check = (): void => {
    const idleMs = performance.now() - this.#writtenAt;
    const isIdle = idleMs >= this.#intervalMs - 1;
    this.#timer = setTimeout(this.#check, isIdle ? this.#intervalMs : this.#intervalMs - idleMs);
    if (isIdle) this.add();
  };

  #waitFor(taken: Promise<void>): void {
    this.#isBehind = true;
    const done = () => {
      this.#isBehind = false;
    };
    taken.then(done, done);
  }
}
