import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';

const COMMENT = ': keep-alive\n\n';
/** Google's official clients take a comment for an event, but they skip empty lines. */
const EMPTY_LINE = '\n';

/** Returns the text that keeps a silent stream of a protocol open. */
export const keepAliveOf = (style: EnvelopeStyle): string => (style === 'google' ? EMPTY_LINE : COMMENT);

/**
 * Writes a comment line after a period of silence, so that no proxy or client takes a thinking model for a
 * dead connection. A write only records the time. When the timer fires, it restarts for the rest of the
 * period.
 */
export class KeepAliveComments implements BodyWriter {
  readonly #writer: BodyWriter;
  readonly #intervalMs: number;
  readonly #comment: string;
  #timer: Timer;
  #writtenAt = performance.now();
  /** The last write is still waiting in the buffer, so a comment would wait too. */
  #isBehind = false;

  constructor(writer: BodyWriter, intervalMs: number, comment = COMMENT) {
    this.#comment = comment;
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
      this.write(this.#comment);
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
