import type { Refusal } from '../../base/errors/refusal.ts';
import type { FormShape } from '../../base/forms/form-shape.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { ModelKind } from '../canonical/model-kind.ts';
import type { NeedFinders } from '../canonical/need.ts';
import type { Refuses } from '../canonical/refused-word.ts';
import type { Wire } from '../canonical/wire.ts';
import type { InspectBody } from '../members/inspect-body.ts';
import type { AnswerLabel } from './answer-label.ts';
import type { BackgroundForm } from './background-form.ts';
import type { BytesReader } from './bytes-reader.ts';
import type { DialectCodec } from './dialect-codec.ts';
import type { EncodeTarget } from './encode-target.ts';
import type { Frame } from './frame.ts';
import type { FrameReader } from './frame-reader.ts';
import type { InferenceRequest } from './inference-request.ts';
import type { KeptForm } from './kept-form.ts';
import type { KeyHeader } from './key-header.ts';
import type { WholeAnswer } from './whole-answer.ts';
import type { EncodedRequest } from './wire-codec.ts';

/** Carries the requests of a dialect on a wire without decoding them, and shows its answers. */
export type DialectWire = {
  /** Returns the path after a provider's base address. */
  path(target: EncodeTarget): string;
  patchRequest: Dialect['patchRequest'];
  patchAnswer: Dialect['patchAnswer'];
};

/**
 * A protocol that clients speak, and how a wire of the same protocol carries it: unchanged except for a
 * patch.
 */
export type Dialect = {
  /** The codec for targets on other wires. Without it the dialect has no targets on other wires. */
  codec?: DialectCodec;
  /** The kind of model that the dialect serves. Default: chat. */
  modelKind?: ModelKind;
  /** The wire that takes this dialect unchanged. */
  wire: Wire;
  /** Further wires that take its requests, each in a form of its own. */
  otherWires?: Readonly<Partial<Record<Wire, DialectWire>>>;
  /** Puts what the address says into the body. */
  bodyAt?(body: JsonBody, params: Readonly<Record<string, string>>): JsonBody | Refusal;
  /** The fields and files of the form that the dialect takes. Without it the dialect takes JSON. */
  form?: FormShape;
  keyHeader: KeyHeader;
  idPrefix: string;
  /** The form of stored answers, which clients can read and continue. Without it no answer is stored. */
  keepsAnswers?: KeptForm;
  /** The form of answers that are made in the background. Without it none can be. */
  runsInBackground?: BackgroundForm;
  /** The path after a provider's base address. */
  upstreamPath: string;
  /** Returns the path after a provider's base address, if it names the upstream's model. */
  path?(target: EncodeTarget): string;
  /** Distinguishes dialects that have one upstream path. */
  variant?: string;
  /** Finders for what a request needs of a model. Default: none. */
  needs?: NeedFinders;
  /** Inspects a body for members that must not go upstream unchecked. */
  inspect: InspectBody;
  /** The members that limit an answer's tokens. If there are none, prompts are not measured. */
  ceilings?: readonly string[];
  /** The token limit of an answer if the request has no limit. Default: the model's own limit. */
  unaskedOutput?: number;
  /** The smallest token limit that the wire of the same protocol accepts. */
  leastOutput?: number;
  /** Refuses members that the protocol's version does not have. A header of the request names the version. */
  refuseRemoved?(body: JsonBody['value'], headers: Headers): Refusal | undefined;
  /**
   * Reports whether the request goes to the endpoint of the dialect. Otherwise it is translated for the
   * wire's usual endpoint. Dialects have it whose endpoint some hosts of their wire lack.
   */
  goesToOwnEndpoint?(request: InferenceRequest, target: EncodeTarget, refuses: Refuses): boolean;
  /** Returns the request, or a refusal that names the first invalid field. */
  read(body: JsonBody): InferenceRequest | Refusal;
  /**
   * Returns the client's own text with the upstream's model name and a request for usage. Members that the
   * target would refuse are removed and reported as losses.
   */
  patchRequest(
    request: InferenceRequest,
    upstreamModel: string,
    target: EncodeTarget,
  ): string | EncodedRequest | Refusal;
  /**
   * Returns the upstream's own text with the gateway's id and the client's model name.
   * Throws if the text is not an answer.
   */
  patchAnswer(text: string, label: AnswerLabel, request: InferenceRequest): WholeAnswer;
  frameReader(request: InferenceRequest, label: AnswerLabel): FrameReader;
  /** Some models ignore the wish for a stream, and the frame reader takes their whole answers. */
  takesWholeAnswers?: true;
  /** Dialects with answers of bytes have it. */
  bytesReader?(request: InferenceRequest, label: AnswerLabel, contentType: string): BytesReader;
  /** The frame that the reader gets if the upstream's stream ends without a last frame. */
  closingFrame?: Frame;
};
