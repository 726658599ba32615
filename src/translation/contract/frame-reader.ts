import type { Refusal } from '../../base/errors/refusal.ts';
import type { CountedText } from '../canonical/counted-text.ts';
import type { Usage } from '../canonical/usage.ts';
import type { FinishedAnswer } from './finished-answer.ts';
import type { Frame } from './frame.ts';

/** The meaning of one frame that passes through the gateway. */
export type FrameMeaning = {
  /** The text to send to the client for this frame. It is empty if nothing is sent. */
  text: string;
  /** True once the answer itself has begun. From here on the request cannot move to another target. */
  begins: boolean;
  /** True for frames at the end of the answer, which wait until the usage is settled. */
  closes: boolean;
  /** True for the last frame. The gateway reads nothing after it. */
  ends?: boolean;
  /** All usage known at this point. It replaces the usage known before. */
  usage?: Usage;
  /** The answer to store. Only the last frame has it. */
  answer?: FinishedAnswer;
};

/** Reads the frames of one stream in turn. */
export interface FrameReader {
  /** Throws at a frame that is not part of the protocol, and at one that reports a failure. */
  read(frame: Frame): FrameMeaning;
  /** The text that the model has written so far. */
  readonly answerText: CountedText;
  /**
   * Returns the text that ends a failing stream at this point. Readers have it whose dialect's error envelope
   * is not enough.
   */
  fail?(refusal: Refusal): string;
}
