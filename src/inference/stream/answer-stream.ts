import { isOwnError } from '../../base/errors/refusal.ts';
import { isTooDeep } from '../../base/json/is-too-deep.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { FinishedAnswer, Frame } from '../../translation/protocols/codec.ts';
import type { FrameMeaning, FrameReader } from '../../translation/protocols/dialect.ts';
import { RefusedAnswer } from '../../translation/protocols/refused-answer.ts';
import { failureOf } from '../../upstream/calling/upstream-caller.ts';
import { broken, refusedAnswer, type UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import type { Produced } from '../settlement/usage-estimate.ts';

/** Cuts a stream's bytes into frames, whatever the framing. */
export type Splitter = { push(chunk: Uint8Array): Frame[]; end(): Frame[] };

export type AnswerStreamParts = {
  answer: HttpAnswer;
  splitter: Splitter;
  read: FrameReader;
  closingFrame: Frame | undefined;
};

/**
 * An upstream's stream on its way to the client. It is held until the first part, so that a failure before it can still go elsewhere and
 * still has a status; and what closes it is held until the usage is settled.
 */
export class AnswerStream {
  readonly #answer: HttpAnswer;
  readonly #read: FrameReader;
  readonly #splitter: Splitter;
  readonly #closingFrame: Frame | undefined;
  #ready = '';
  #closing = '';
  #begun = false;
  #closed = false;
  #failure: UpstreamFailure | undefined;
  readonly #startedAt = performance.now();
  #silentMs: number | undefined;
  /** The upstream's own last report. */
  #told: Usage | undefined;
  /** What the upstream has said of it so far. */
  usage: Usage | undefined;
  /** Known with the last frame, where it is to be kept. */
  answer: FinishedAnswer | undefined;

  constructor({ answer, splitter, read, closingFrame }: AnswerStreamParts) {
    this.#answer = answer;
    this.#splitter = splitter;
    this.#read = read;
    this.#closingFrame = closingFrame;
  }

  /** Waits until the answer itself has begun. */
  async begin(): Promise<UpstreamFailure | undefined> {
    try {
      while (!this.#begun) {
        if (await this.#pull()) continue;
        if (!this.#begun) throw new SyntaxError('a stream that ends before its first part');
      }
      return undefined;
    } catch (error) {
      const failure = this.#fail(error);
      // Another target would find the same fault: what was written before it goes out, and is paid for.
      if (!this.#begun || !isOwnError(failure.refusal)) return failure;
      this.#failure = failure;
      return undefined;
    }
  }

  /** What goes to the client next; undefined behind the last of what is sent before the closing. Then `failure` tells whether it broke. */
  async next(): Promise<string | undefined> {
    try {
      while (this.#ready === '' && !this.#closed && !this.#failure) {
        if (await this.#pull()) continue;
        if (!this.#closed) throw new SyntaxError('a stream that ends without an ending');
      }
    } catch (error) {
      this.#failure = this.#fail(error); // what came well before it goes first
    }
    return this.#ready === '' ? undefined : this.#takeReady();
  }

  /** Whether all of it has come. */
  get isWhole(): boolean {
    return this.#closed;
  }

  get failure(): UpstreamFailure | undefined {
    return this.#failure;
  }

  get produced(): Produced {
    const { said } = this.#read;
    const silentMs = this.#silentMs ?? performance.now() - this.#startedAt;
    return { reported: this.usage, told: this.#told, said, isWhole: this.#closed, silentMs };
  }

  /** The frames that end the answer: to be sent once the usage is settled. */
  get closing(): string {
    return this.#closing;
  }

  abandon(): void {
    this.#answer.cancel();
  }

  /** Reads on for the usage, for nobody. */
  async readOn(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  #takeReady(): string {
    const text = this.#ready;
    this.#ready = '';
    return text;
  }

  #fail(error: unknown): UpstreamFailure {
    this.abandon();
    if (error instanceof RefusedAnswer) return refusedAnswer(error.refusal);
    return error instanceof SyntaxError || error instanceof RangeError ? broken(error) : failureOf(error);
  }

  /** False at the stream's end. */
  async #pull(): Promise<boolean> {
    const reading = this.#answer.read();
    const piece = reading instanceof Promise ? await reading : reading;
    const frames = piece ? this.#splitter.push(piece) : this.#splitter.end();
    for (const frame of frames) {
      if (this.#closed) break; // nothing counts behind the last frame
      if (isTooDeep(frame.data)) throw new RangeError('a frame that is nested too deep');
      this.#take(this.#read(frame));
    }
    if (!piece && !this.#closed && this.#closingFrame) this.#take(this.#read(this.#closingFrame));
    return piece !== undefined;
  }

  #take(meaning: FrameMeaning): void {
    this.#begun ||= meaning.begins;
    if (meaning.usage) {
      this.usage = meaning.usage;
      if (!meaning.usage.isEstimated) this.#told = meaning.usage;
    }
    if (meaning.answer) this.answer = meaning.answer;
    const { length } = this.#read.said;
    if (length > 0) this.#silentMs ??= performance.now() - this.#startedAt;
    // What keeps an answer keeps all of it until its end, which has to come.
    if (length > this.#answer.mostBytes) throw new RangeError('an answer without an end');
    if (meaning.ends) this.#closed = true;
    if (meaning.closes) this.#closing += meaning.text;
    else this.#ready += meaning.text;
  }
}
