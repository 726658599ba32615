import { isOwnError } from '../../base/errors/refusal.ts';
import { isTooDeep } from '../../base/json/is-too-deep.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { FinishedAnswer } from '../../translation/contract/finished-answer.ts';
import type { Frame } from '../../translation/contract/frame.ts';
import type { FrameMeaning, FrameReader } from '../../translation/contract/frame-reader.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import type { AnswerProgress } from '../settlement/usage-estimate.ts';
import { failureInAnswer } from './failure-in-answer.ts';
import { LARGE_LENGTH, largeEvents } from './write-text.ts';

/** Splits a stream's bytes into frames of any framing. */
export type Splitter = { push(chunk: Uint8Array): Frame[]; end(): Frame[] };

const NO_FRAMES: readonly Frame[] = [];

export type AnswerStreamParts = {
  answer: HttpAnswer;
  splitter: Splitter;
  reader: FrameReader;
  closingFrame: Frame | undefined;
  /** Reads the texts for the client. Undefined unless the request is traced. */
  trace?: { read(text: string): void } | undefined;
};

/**
 * Passes an upstream's stream to the client. The stream is held until its first part, so that an earlier
 * failure can fall back and still has a status. The end of the stream is held until its usage is settled.
 */
export class AnswerStream {
  readonly #answer: HttpAnswer;
  readonly #reader: FrameReader;
  readonly #splitter: Splitter;
  readonly #closingFrame: Frame | undefined;
  readonly #trace: AnswerStreamParts['trace'];
  /** The text that can be sent now, and the text that is sent once the usage is settled. */
  #ready = '';
  #closing = '';
  /** The first part of the answer has arrived. */
  #hasBegun = false;
  /** The last frame of the answer has arrived. */
  #isClosed = false;
  #failure: UpstreamFailure | undefined;
  /** The frames of the last piece that are not read yet. */
  #frames: readonly Frame[] = NO_FRAMES;
  /** The upstream has sent its last byte. */
  #hasEnded = false;
  readonly #startedAt = performance.now();
  #silentMs: number | undefined;
  /** The upstream's own last report. */
  #reported: Usage | undefined;
  /** The upstream's reported usage so far. */
  usage: Usage | undefined;
  /** The answer to store, which is known with the last frame. */
  answer: FinishedAnswer | undefined;

  constructor({ answer, splitter, reader, closingFrame, trace }: AnswerStreamParts) {
    this.#answer = answer;
    this.#splitter = splitter;
    this.#reader = reader;
    this.#closingFrame = closingFrame;
    this.#trace = trace;
  }

  /** Waits until the answer itself has begun. */
  async begin(): Promise<UpstreamFailure | undefined> {
    try {
      while (!this.#hasBegun) {
        const pulling = this.#pull();
        if (pulling instanceof Promise ? await pulling : pulling) continue;
        if (!this.#hasBegun) throw new SyntaxError('the stream ended before its first part');
      }
      return undefined;
    } catch (error) {
      const failure = this.#fail(error);
      // Another target would find the same fault. The text before the fault is sent and billed.
      if (!this.#hasBegun || !isOwnError(failure.refusal)) return failure;
      this.#failure = failure;
      return undefined;
    }
  }

  /**
   * Returns the next text for the client, or undefined after the last text before the closing. `failure` is
   * then set if the stream broke.
   */
  next(): MaybeLater<string | undefined> {
    try {
      while (this.#ready === '' && !this.#isClosed && !this.#failure) {
        const pulling = this.#pull();
        if (pulling instanceof Promise) return pulling.then(this.#nextAfter, this.#lastBefore);
        if (!pulling && !this.#isClosed) return this.#lastBefore(cutOff());
      }
      return this.#takeReady();
    } catch (error) {
      return this.#lastBefore(error);
    }
  }

  readonly #nextAfter = (isOpen: boolean): MaybeLater<string | undefined> =>
    isOpen || this.#isClosed ? this.next() : this.#lastBefore(cutOff());

  /** Returns the text before a failure, which is sent first. */
  readonly #lastBefore = (error: unknown): string | undefined => {
    this.#failure = this.#fail(error);
    return this.#takeReady();
  };

  /** Reports whether the whole answer has arrived. */
  get isWhole(): boolean {
    return this.#isClosed;
  }

  get failure(): UpstreamFailure | undefined {
    return this.#failure;
  }

  get produced(): AnswerProgress {
    const { answerText } = this.#reader;
    const silentMs = this.#silentMs ?? performance.now() - this.#startedAt;
    return { known: this.usage, reported: this.#reported, answerText, isWhole: this.#isClosed, silentMs };
  }

  /** The frames that end the answer, which are sent after the usage is settled. */
  get closing(): string {
    return this.#closing;
  }

  abandon(): void {
    this.#answer.cancel();
  }

  /** Reads the rest of the stream for its usage only. */
  async readOn(): Promise<void> {
    while ((await this.next()) !== undefined);
  }

  #takeReady(): string | undefined {
    const text = this.#ready;
    this.#ready = '';
    return text === '' ? undefined : text;
  }

  #fail(error: unknown): UpstreamFailure {
    this.abandon();
    return failureInAnswer(error);
  }

  /** Reads the next piece, or the rest of the last one. Returns false at the end of the stream. */
  #pull(): MaybeLater<boolean> {
    if (this.#frames.length > 0) return andThen(this.#readFrames(), this.#afterFrames);
    return andThen(this.#answer.read(), this.#readPiece);
  }

  readonly #readPiece = (piece: Uint8Array | undefined): MaybeLater<boolean> => {
    this.#hasEnded = piece === undefined;
    this.#frames = piece ? this.#splitter.push(piece) : this.#splitter.end();
    return andThen(this.#readFrames(), this.#afterFrames);
  };

  readonly #afterFrames = (isRead: boolean): boolean => {
    if (!isRead) return true;
    this.#frames = NO_FRAMES;
    if (this.#hasEnded && !this.#isClosed && this.#closingFrame)
      this.#apply(this.#reader.read(this.#closingFrame));
    return !this.#hasEnded;
  };

  /**
   * Reads the frames that have arrived. Returns false if a large text must be sent before the next frame is
   * read.
   */
  #readFrames(): MaybeLater<boolean> {
    for (let index = 0; index < this.#frames.length; index++) {
      if (this.#isClosed) break; // anything after the last frame is ignored
      if (index > 0 && this.#ready.length >= LARGE_LENGTH) return this.#keepFrom(index);
      const frame = this.#frames[index]!;
      if (frame.data.length >= LARGE_LENGTH) return this.#readLarge(frame, index);
      this.#readFrame(frame);
    }
    return true;
  }

  /** Keeps the frames from an index on for the next reading. */
  #keepFrom(index: number): false {
    this.#frames = this.#frames.slice(index);
    return false;
  }

  async #readLarge(frame: Frame, index: number): Promise<boolean> {
    await largeEvents.next();
    this.#readFrame(frame);
    await largeEvents.next();
    const isLast = index === this.#frames.length - 1;
    return isLast || this.#keepFrom(index + 1);
  }

  #readFrame(frame: Frame): void {
    if (isTooDeep(frame.data)) throw new RangeError('a frame is nested too deep');
    this.#apply(this.#reader.read(frame));
  }

  /** Applies what a frame means to the answer. */
  #apply(meaning: FrameMeaning): void {
    this.#hasBegun ||= meaning.begins;
    if (meaning.usage) {
      this.usage = meaning.usage;
      if (!meaning.usage.isEstimated) this.#reported = meaning.usage;
    }
    if (meaning.answer) this.answer = meaning.answer;
    const { length } = this.#reader.answerText;
    if (length > 0) this.#silentMs ??= performance.now() - this.#startedAt;
    // An answer that is stored stays in memory until its end, so its length has a limit.
    if (length > this.#answer.maxBytes) throw new RangeError('the answer exceeds the size limit');
    if (meaning.ends) this.#isClosed = true;
    this.#trace?.read(meaning.text);
    if (meaning.closes) this.#closing += meaning.text;
    else this.#ready += meaning.text;
  }
}

const cutOff = () => new SyntaxError('the stream ended without its last event');
