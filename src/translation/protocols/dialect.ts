import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { KeyHeader } from '../../edge/http/read-credential.ts';
import type { Estimator } from '../canonical/estimator.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { NeedFinders } from '../canonical/need.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Said } from '../canonical/said.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Wire } from '../canonical/wire.ts';
import type { DialectCodec, EncodedRequest, EncodeTarget, FinishedAnswer, Frame } from './codec.ts';
import type { LargeAnswerOrder } from './large-answer.ts';
import type { InspectBody } from './members/inspect-body.ts';
import type { Reserved } from './members/judge-findings.ts';

/** What the house has to know of a request, whichever dialect it came in. */
export type InferenceRequest = {
  body: JsonBody;
  model: string;
  stream: boolean;
  /** Questions that have nothing to do with each other; one unless said. */
  prompts?: number;
  /** How many answers it asks for, all its prompts together; one unless said. */
  answers?: number;
  /** How many are written for that, where the best of them are chosen. */
  written?: number;
  /** How many texts it has that are each as long as the window at most: the inputs of embeddings. One unless said. */
  texts?: number;
  /** Where reading it took decoding it whole. */
  canonical?: CanonicalRequest;
  /** What was left out of it before it went to any target. */
  losses?: readonly LossCode[];
  /** The body's value before anything was left out, for refusals that name its members. */
  asSent?: JsonBody['value'];
  /** What only providers may get whose row consents. */
  reserved?: readonly Reserved[];
  /** The client's headers that travel on otherwise than it sent them. */
  headerEdits?: HeaderEdits;
  /** The most tokens that an answer may have beside this prompt, where that is less than the model's own bound. */
  outputRoom?: number;
};

/** By name: what is sent in place of the client's value; null for nothing. `losses`: what goes with what is not sent. */
export type HeaderEdits = { values: Readonly<Record<string, string | null>>; losses: readonly LossCode[] };

/** What an answer is labelled with in place of what the upstream calls itself. */
export type AnswerLabel = {
  id: string;
  model: string;
  /** What the model entry states. */
  vectorWidth?: number | undefined;
  /** For hosts that do not count. */
  estimate: Estimator;
};

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
  keyHeader: KeyHeader;
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
