import type { Refusal } from '../../base/errors/refusal.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { ModelKind } from '../canonical/model-kind.ts';
import type { NeedFinders } from '../canonical/need.ts';
import type { Refuses } from '../canonical/refused-word.ts';
import type { Said } from '../canonical/said.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Wire } from '../canonical/wire.ts';
import type { InspectBody } from '../members/inspect-body.ts';
import type { AnswerLabel } from './answer-label.ts';
import type { DialectCodec, EncodedRequest, EncodeTarget, FinishedAnswer, Frame } from './codec.ts';
import type { HeaderEdits, InferenceRequest, WholeAnswerForm } from './inference-request.ts';
import type { KeyHeaderChoice } from './key-header.ts';
import type { LargeAnswerOrder } from './large-answer.ts';

/** The meaning of one frame that passes through the gateway. */
export type FrameMeaning = {
  /** The text to send to the client for this frame. Empty if nothing is sent. */
  text: string;
  /** True once the answer itself has begun. From here on the request cannot move to another target. */
  begins: boolean;
  /** True for frames at the end of the answer, which wait until the usage is settled. */
  closes: boolean;
  /** True for the last frame. The gateway reads nothing after it. */
  ends?: boolean;
  /** All usage known at this point. It replaces the usage known before. */
  usage?: Usage;
  /** The answer to store. Set on the last frame. */
  answer?: FinishedAnswer;
};

/**
 * Reads the frames of one stream in turn. Throws at a frame that is not part of the protocol, and at one that
 * reports a failure.
 */
export type FrameReader = {
  (frame: Frame): FrameMeaning;
  /** The text that the model has written so far. */
  readonly said: Said;
  /**
   * Returns the text that ends a failing stream at this point. Undefined if the dialect's error envelope is
   * enough.
   */
  fail?: (refusal: Refusal) => string;
};

/** `contentType`: the type of an answer that is not JSON. */
export type WholeAnswer = { text: string; usage: Usage; answer?: FinishedAnswer; contentType?: string };

/** Follows the bytes of an answer that is neither text nor JSON. They pass through as they are. */
export type BytesReader = {
  take(piece: Uint8Array): void;
  /** The bytes so far. */
  readonly byteLength: number;
  /** Returns what the answer is billed for. */
  usage(): Usage;
  /** True if the bytes are kept until their length in seconds is known. */
  readonly keeps: boolean;
};

/** The way one request goes to one target, and its answer comes back. */
export type Carriage = {
  wire: Wire;
  path: string;
  body: string;
  /** The form that is sent instead of `body`. */
  streamed?: StreamedBody | undefined;
  /**
   * True if the wire speaks the client's own protocol. The client's header requests then have a meaning for the
   * vendor.
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
  /** The mark for reasoning that the upstream's account encrypted. Set if another account might receive that reasoning. */
  mark?: string;
  frameReader(): FrameReader;
  /** A whole answer may come in place of a stream. It is then one frame. */
  takesWholeAnswers?: true | undefined;
  /** What the answer is, if it is not JSON. */
  answerForm?: WholeAnswerForm | undefined;
  /** The request goes to an endpoint that some hosts of the wire lack. */
  mayBeAbsent?: boolean | undefined;
  /** Set on answers of bytes. */
  bytesReader?(contentType: string): BytesReader;
  /** The frame that the reader gets if the upstream's stream ends without a last frame. */
  closingFrame?: Frame | undefined;
  /** Returns the text that ends a stream which failed after it began. */
  failureText(refusal: Refusal): string;
};

/** A protocol that clients speak, and how a wire of the same protocol carries it: unchanged except for a patch. */
export type Dialect = {
  /** The codec for targets on other wires. Without it the dialect has no targets on other wires. */
  codec?: DialectCodec;
  /** The kind of model that the dialect serves. Default: chat. */
  modelKind?: ModelKind;
  /** The wire that takes this dialect unchanged. */
  wire: Wire;
  /** The fields and files of the form that the dialect takes. Without it the dialect takes JSON. */
  form?: FormShape;
  keyHeader: KeyHeaderChoice;
  idPrefix: string;
  /** Set if answers are stored, so that clients can read and continue them. */
  keepsAnswers?: true;
  /** Set if answers can be made in the background. */
  runsInBackground?: true;
  /** The path after a provider's base address. */
  upstreamPath: string;
  /** Finders for what a request needs of a model. Default: none. */
  needs?: NeedFinders;
  /** Inspects a body for members that must not go upstream unchecked. */
  inspect: InspectBody;
  /** The members that limit an answer's tokens. If there are none, prompts are not measured. */
  ceilings?: readonly string[];
  /** The token limit of an answer if the request names none. Default: the model's own limit. */
  unaskedOutput?: number;
  /** The smallest token limit that the wire of the same protocol accepts. */
  leastOutput?: number;
  /** Refuses members that the version of the protocol does not have, which a header of the request names. */
  refuseRemoved?(body: JsonBody['value'], headers: Headers): Refusal | undefined;
  /**
   * Set on dialects whose endpoint some hosts of their wire lack. Reports whether the request goes there. Otherwise it is translated for
   * the wire's usual endpoint.
   */
  goesToOwnEndpoint?(request: InferenceRequest, target: EncodeTarget, refuses: Refuses): boolean;
  /** Returns the request, or a refusal that names the first invalid field. */
  read(body: JsonBody): InferenceRequest | Refusal;
  /**
   * Returns the client's own text with the upstream's model name and a request for usage. Members that the target
   * would refuse are removed and reported as losses.
   */
  patchRequest(
    request: InferenceRequest,
    upstreamModel: string,
    target: EncodeTarget,
  ): string | EncodedRequest | Refusal;
  /**
   * Returns the upstream's own text with the gateway's id and the client's model name. Throws if the text is not
   * an answer.
   */
  patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer;
  frameReader(request: InferenceRequest, label: AnswerLabel): FrameReader;
  /** Some models ignore the wish for a stream, and the frame reader takes their whole answers. */
  takesWholeAnswers?: true;
  /** Set on dialects with answers of bytes. */
  bytesReader?(request: InferenceRequest, label: AnswerLabel, contentType: string): BytesReader;
  /** The frame that the reader gets if the upstream's stream ends without a last frame. */
  closingFrame?: Frame;
};
