import type { Refusal } from '../../base/errors/refusal.ts';
import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { Wire } from '../canonical/wire.ts';
import type { BytesReader } from './bytes-reader.ts';
import type { Frame } from './frame.ts';
import type { FrameReader } from './frame-reader.ts';
import type { HeaderEdits, WholeAnswerForm } from './inference-request.ts';
import type { LargeAnswerOrder } from './large-answer.ts';
import type { WholeAnswer } from './whole-answer.ts';

/** The way one request goes to one target, and its answer comes back. */
export type Carriage = {
  wire: Wire;
  path: string;
  body: string;
  /** The form that is sent instead of `body`. */
  streamed?: StreamedBody | undefined;
  /**
   * True if the wire speaks the client's own protocol.
   * The client's header requests then have a meaning for the vendor.
   */
  isOwnProtocol: boolean;
  headerEdits?: HeaderEdits['values'] | undefined;
  /** The losses of this target's request. */
  losses: readonly LossCode[];
  /** A loss that was found after the headers of the stream were sent. */
  lateLoss?: LossCode | undefined;
  /** Turns the upstream's whole answer into the client's. Throws if the text is not an answer. */
  readAnswer(text: string): WholeAnswer;
  /** Returns the data that a thread needs to do the same with a large answer. */
  orderLarge?(): LargeAnswerOrder;
  /**
   * The mark for reasoning that the upstream's account encrypted. It is set if another account might receive
   * that reasoning.
   */
  mark?: string;
  frameReader(): FrameReader;
  /** A whole answer may come in place of a stream. It is then one frame. */
  takesWholeAnswers?: true | undefined;
  /** The form of the answer, if it is not JSON. */
  answerForm?: WholeAnswerForm | undefined;
  /** The request goes to an endpoint that some hosts of the wire lack. */
  mayBeAbsent?: boolean | undefined;
  /** Carriages with answers of bytes have it. */
  bytesReader?(contentType: string): BytesReader;
  /** The frame that the reader gets if the upstream's stream ends without a last frame. */
  closingFrame?: Frame | undefined;
  /** Returns the text that ends a stream which failed after it began. */
  failureText(refusal: Refusal): string;
};
