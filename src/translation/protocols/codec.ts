import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { CanonicalResponse, StreamEvent } from '../canonical/event.ts';
import type { Loss } from '../canonical/loss.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';

/** One event of a server-sent stream; wires with another framing are cut into the same. */
export type Frame = { event?: string | undefined; data: string };

/**
 * Comes behind the last frame of a stream whose body ended without a break. Chat completions need it, since not every host sends `[DONE]`;
 * a protocol that has an end of its own throws at it when that is missing.
 */
export const END_OF_BODY: Frame = { data: '' };

/** What the answer is called towards the client, and what of the request its envelope repeats. */
export type ResponseHead = {
  responseId: string;
  /** As the client sent it. */
  model: string;
  /** Unix seconds. */
  createdAt: number;
  request: CanonicalRequest;
  /** The client's own body, for envelopes that echo its fields. */
  body: JsonBody;
};

/** An answer that came to its end, for those who keep it. */
export type FinishedAnswer = {
  /** The response object, byte for byte as the client is sent it. */
  envelope: string;
  /** Its output as a later turn hands it back to a model, with what the client is not shown: a JSON list. */
  items: string;
};

/** What there is to keep of an answer; `sent` is its whole body, or the last frame of its stream. */
export type Keeper = (response: CanonicalResponse, sent: string) => FinishedAnswer;

/** The half of a protocol that clients speak. */
export type DialectCodec = {
  id: ProtocolId;
  /** The request, or the first field at fault with its full path. The body is valid JSON and an object. */
  decodeRequest(body: JsonBody): CanonicalRequest | Refusal;
  /** A new encoder for each stream: called with every event in turn, gives the frames that it becomes. */
  streamEncoder(head: ResponseHead): (event: StreamEvent) => Frame[];
  encodeResponse(response: CanonicalResponse, head: ResponseHead): unknown;
  /** For dialects whose answers are kept. Undefined: this one is not to be. */
  keeper?(head: ResponseHead): Keeper | undefined;
  /** What it calls the fields that wires name in their refusals by the chat dialect's names, where it calls them otherwise. */
  paramNames?: Readonly<Record<string, string>>;
  several?: SeveralAnswers;
};

/** How a request for several answers is asked for one by one where no wire takes it whole, and the answers are made one. */
export type SeveralAnswers = {
  /** A request for each answer, in the order of their numbers. */
  split(body: JsonBody): CanonicalRequest[] | Refusal;
  /** The frames of the answer of that number, without what ends the whole. The head's request is its own part. */
  choiceEncoder(head: ResponseHead, index: number): (event: StreamEvent) => Frame[];
  /** What ends the whole; the usage is the sum. */
  closingFrames(head: ResponseHead, usage: Usage | undefined): Frame[];
  /** The texts of whole answers, in order, as one; the usage is the sum. */
  join(texts: readonly [string, ...string[]], usage: Usage | undefined): string;
};

/** What a target's model is called and can do: encoders refuse or drop what it cannot. */
export type EncodeTarget = {
  upstreamModel: string;
  reasoning: boolean;
  reasoningEfforts: readonly string[];
  /** Undefined: none published. */
  maxOutput?: number | undefined;
  /** Of embedding models: whether they can give fewer dimensions, and whether the host takes a width at all. */
  vectors?: { width: number; canShorten: boolean; sendsWidth: boolean } | undefined;
};

export type EncodedRequest = { body: string; losses: Loss[] };

/** The half of a protocol that providers serve. */
export type WireCodec = {
  id: ProtocolId;
  /** Behind the provider's base address. */
  path(request: CanonicalRequest, target: EncodeTarget): string;
  encodeRequest(request: CanonicalRequest, target: EncodeTarget): EncodedRequest | Refusal;
  /** A new decoder for each stream. Throws SyntaxError at a frame that is none of the protocol's; unknown events mean nothing. */
  streamDecoder(): (frame: Frame) => StreamEvent[];
  /** The frames that this unary body would have been streamed as, so that the mapping is written once. */
  explode(text: string): Frame[];
  /** To be fed to the decoder when the upstream's stream ends, on wires whose last frame does not say that it is the last. */
  closingFrame?: Frame;
  /** The vendor's word for an end that may be the model's own or one at a stop sequence, where it does not tell them apart. */
  vagueStop?: string;
};
