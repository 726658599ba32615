import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Estimator } from '../canonical/estimator.ts';
import type { CanonicalResponse, StreamEvent } from '../canonical/event.ts';
import type { Loss, LossCode } from '../canonical/loss.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import type { ThinkingField } from '../canonical/quirk.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';

/** One server-sent event. Wires with a different framing are split into the same form. */
export type Frame = { event?: string | undefined; data: string };

/**
 * Follows the last frame of a stream whose body ended without a break. Chat completions need it, since some
 * hosts never send `[DONE]`. A protocol with an end event of its own throws here if that event is missing.
 */
export const END_OF_BODY: Frame = { data: '' };

/** The answer's names towards the client, and the request fields that its envelope repeats. */
export type ResponseHead = {
  responseId: string;
  /** The model name as the client sent it. */
  model: string;
  /** Unix time in seconds. */
  createdAt: number;
  request: CanonicalRequest;
  /** The client's own body, for envelopes that echo its fields. */
  body: JsonBody;
  /** Members that the envelope repeats, although the provider did not get them. */
  echo?: Readonly<Record<string, unknown>> | undefined;
  /** The key that seals compactions. It is undefined if the answer cannot be one. */
  recapKey?: Uint8Array | undefined;
  /** Receives what a stream has lost after its head was sent. */
  reportLoss?(loss: LossCode): void;
};

/** A finished answer in the form in which it is stored. */
export type FinishedAnswer = {
  /** The response object, byte for byte as the client receives it. */
  envelope: string;
  /**
   * The output items as a later turn passes them to a model, hidden parts included. The text is a JSON list.
   */
  items: string;
};

/** Builds the stored form of an answer. `sent` is its whole body, or the last frame of its stream. */
export type Keeper = (response: CanonicalResponse, sent: string) => FinishedAnswer;

/** The half of a protocol that clients speak. */
export type DialectCodec = {
  id: ProtocolId;
  /**
   * Returns the request, or a refusal with the full path of the first invalid field. The body is a valid JSON
   * object.
   */
  decodeRequest(body: JsonBody): CanonicalRequest | Refusal;
  /**
   * Creates an encoder for one stream. The encoder takes each event in turn and returns its frames.
   * `estimate` stands in for an input that the upstream counts later.
   */
  streamEncoder(head: ResponseHead, estimate?: Pick<Estimator, 'input'>): (event: StreamEvent) => Frame[];
  /** Returns the answer as a JSON value. The arguments of calls in it may be RawJson. */
  encodeResponse(response: CanonicalResponse, head: ResponseHead): unknown;
  /** Present in dialects whose answers are stored. Returns undefined if this answer must not be stored. */
  keeper?(head: ResponseHead): Keeper | undefined;
  /**
   * Maps the chat dialect's field names, which wires use in refusals, to this
   * dialect's names where they differ.
   */
  paramNames?: Readonly<Record<string, string>>;
  severalAnswers?: SeveralAnswers;
};

/**
 * Splits a request for several answers into single requests, and joins their answers. It is used where no
 * wire takes the request whole.
 */
export type SeveralAnswers = {
  /** Returns one request per answer, in the order of their numbers. */
  split(body: JsonBody): CanonicalRequest[] | Refusal;
  /**
   * Encodes the answer with this number, without the frames that end the stream. The head's request is that
   * answer's own.
   */
  choiceEncoder(head: ResponseHead, index: number): (event: StreamEvent) => Frame[];
  /** Returns the frames that end the stream. The usage is the sum over all answers. */
  closingFrames(head: ResponseHead, usage: Usage | undefined): Frame[];
  /** Joins the texts of whole answers, in order. The usage is the sum over all answers. */
  join(texts: readonly string[], usage: Usage | undefined): string;
};

/** A target's model name and abilities. Encoders refuse or drop what the model cannot do. */
export type EncodeTarget = {
  upstreamModel: string;
  reasoning: boolean;
  reasoningEfforts: readonly string[];
  /** An effort becomes a budget of thinking tokens, since the model has no levels. */
  thinksByBudget?: boolean | undefined;
  /** The model takes no budget of thinking tokens, so it gets an effort. */
  refusesBudgets?: boolean | undefined;
  /** The host's own field for thinking, on the chat wire. */
  thinkingField?: ThinkingField | undefined;
  /** The place of system texts on the wire of responses. Default: into the instructions. */
  systemAs?: 'instructions' | 'developer' | undefined;
  /** Undefined if the maker publishes no limit. */
  maxOutput?: number | undefined;
  /**
   * For embedding models: the vector width, whether it can be reduced, and whether the host accepts a width.
   */
  vectors?: { width: number; canShorten: boolean; sendsWidth: boolean } | undefined;
};

export type EncodedRequest = { body: string; losses: Loss[] };

/** The half of a protocol that providers serve. */
export type WireCodec = {
  id: ProtocolId;
  /** Returns the path after the provider's base address. */
  path(request: CanonicalRequest, target: EncodeTarget): string;
  encodeRequest(request: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal;
  /**
   * Creates a decoder for one stream. It throws SyntaxError at a frame that is not part of the protocol, and
   * ignores unknown events.
   */
  streamDecoder(): (frame: Frame) => StreamEvent[];
  /**
   * Splits a whole answer into the frames that it would have been streamed as, so
   * that only one mapping is needed.
   */
  explode(text: string): Frame[];
  /**
   * The frame that the decoder gets when the upstream's stream ends. It is set on wires whose last frame is
   * not marked as the last.
   */
  closingFrame?: Frame;
  /**
   * The vendor's word for an end that may be the model's own or a stop sequence, if the
   * vendor uses one word for both.
   */
  vagueStop?: string;
};
