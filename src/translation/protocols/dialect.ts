import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { NeedFinders } from '../canonical/need.ts';
import type { Said } from '../canonical/said.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Wire } from '../canonical/wire.ts';
import type { AnswerLabel } from './answer-label.ts';
import type { DialectCodec, EncodedRequest, EncodeTarget, FinishedAnswer, Frame } from './codec.ts';
import type { HeaderEdits, InferenceRequest } from './inference-request.ts';
import type { KeyHeaderChoice } from './key-header.ts';
import type { LargeAnswerOrder } from './large-answer.ts';
import type { InspectBody } from './members/inspect-body.ts';

/** What a frame means to those who only watch it pass. */
export type FrameMeaning = {
  /** What goes to the client for it, ready to be sent; empty where it stays here. */
  text: string;
  /** The answer itself begins with it: from here on there is no going back to another target. */
  begins: boolean;
  /** It belongs to the end, and waits until the usage is settled. */
  closes: boolean;
  /** The last one: whatever follows it is not read. */
  ends?: boolean;
  /** All that is known of it by then, which takes the place of what was known before. */
  usage?: Usage;
  /** With the last frame, where the answer is to be kept. */
  answer?: FinishedAnswer;
};

/** Reads one stream's frames in turn. A frame that is none of the protocol's throws, and so does one that tells of a failure. */
export type FrameReader = {
  (frame: Frame): FrameMeaning;
  /** What the model has written so far. */
  readonly said: Said;
  /** What the stream ends with when it fails, from where it stands; undefined where the dialect's error envelope says it all. */
  fail?: (refusal: Refusal) => string;
};

export type WholeAnswer = { text: string; usage: Usage; answer?: FinishedAnswer };

/** How one request is carried to one target, and its answer back. */
export type Carriage = {
  wire: Wire;
  path: string;
  body: string;
  /** The wire speaks the client's own protocol, so that what its headers ask the vendor for means something there. */
  isOwnProtocol: boolean;
  headerEdits?: HeaderEdits['values'] | undefined;
  /** What the target does not get. */
  losses: readonly LossCode[];
  /** A whole answer's text → ours; throws where it is no answer. */
  readAnswer(text: string): WholeAnswer;
  /** What a thread needs to do the same with a large one. */
  orderLarge?(): LargeAnswerOrder;
  /** The mark for what the upstream's account sealed, where another account would get it. */
  mark?: string;
  frameReader(): FrameReader;
  /** Fed to the reader where the upstream's stream ends without a last frame. */
  closingFrame?: Frame | undefined;
  /** What a stream that has begun ends with when it fails. */
  failureText(refusal: Refusal): string;
};

/** A protocol that clients speak, and how a wire of the same protocol carries it: untouched but for a patch. */
export type Dialect = {
  /** For targets that speak another wire; without it there are none. */
  codec?: DialectCodec;
  /** Which models it is for; chat models unless said. */
  modelKind?: 'chat' | 'embedding';
  /** The wire that takes this dialect as it is. */
  wire: Wire;
  keyHeader: KeyHeaderChoice;
  idPrefix: string;
  /** Its answers are kept, to be read again and continued. */
  keepsAnswers?: true;
  /** The path behind a provider's base address. */
  upstreamPath: string;
  /** What its requests may ask of a model; nothing unless said. */
  needs?: NeedFinders;
  /** Looks for what does not go upstream without more ado. */
  inspect: InspectBody;
  /** The members that name the most tokens of an answer. Without any, prompts are not measured. */
  ceilings?: readonly string[];
  /** The most tokens of an answer to who names none; the model's own bound unless said. */
  unaskedOutput?: number;
  /** The least of them that the wire of the same protocol takes. */
  leastOutput?: number;
  /** The request, or the first field at fault. */
  read(body: JsonBody): InferenceRequest | Refusal;
  /** The caller's own text with the upstream's name of the model, asking for usage, less what the target would refuse; with what was lost by that. */
  patchRequest(
    request: InferenceRequest,
    upstreamModel: string,
    target: EncodeTarget,
  ): string | EncodedRequest | Refusal;
  /** The upstream's own text with our id and the name that the client sent; throws where it is no answer. */
  patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer;
  frameReader(request: InferenceRequest, label: AnswerLabel): FrameReader;
  /** Fed to the reader where the upstream's stream ends without a last frame. */
  closingFrame?: Frame;
};
