import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';

const COMMENT = ': keep-alive\n\n';

/**
 * A comment line whenever nothing was written for a while, so that nobody on the way takes a thinking model for a dead connection. While
 * the stream flows only a time is noted; a timer that finds it moved starts again for the rest.
 */
export class IdleComments implements BodyWriter {
  readonly #writer: BodyWriter;
  readonly #intervalMs: number;
  #timer: Timer;
  #writtenAt = performance.now();
  /** What was written last still lies there: a comment would lie behind it. */
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
      this.stop(); // the client has left: the next piece will find out
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
