import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { InputEstimator } from '../canonical/estimator.ts';
import type { CanonicalResponse, StreamEvent } from '../canonical/event.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import type { Usage } from '../canonical/usage.ts';
import type { AnswerFinisher } from './finished-answer.ts';
import type { Frame } from './frame.ts';
import type { ResponseHead } from './response-head.ts';

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
  streamEncoder(head: ResponseHead, estimate?: InputEstimator): (event: StreamEvent) => Frame[];
  /** Returns the answer as a JSON value. The arguments of calls in it may be RawJson. */
  encodeResponse(response: CanonicalResponse, head: ResponseHead): unknown;
  /** Dialects whose answers are stored have it. Returns undefined if this answer must not be stored. */
  answerFinisher?(head: ResponseHead): AnswerFinisher | undefined;
  /**
   * Maps the chat dialect's field names, which wires use in refusals, to this dialect's names where they
   * differ.
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
