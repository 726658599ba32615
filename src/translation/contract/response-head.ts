import type { JsonBody } from '../../base/json/json-body.ts';
import type { LossCode } from '../canonical/loss.ts';
import type { CanonicalRequest } from '../canonical/request.ts';

/** The answer's names towards the client, and its time. */
export type AnswerIdentity = {
  responseId: string;
  /** The model name as the client sent it. */
  model: string;
  /** Unix time in seconds. */
  createdAt: number;
};

/** The answer's identity, and the request fields that its envelope repeats. */
export type ResponseHead = AnswerIdentity & {
  request: CanonicalRequest;
  /** The client's own body, for envelopes that echo its fields. */
  body: JsonBody;
  /** Members that the envelope repeats, although the provider did not get them. */
  echo?: Readonly<Record<string, unknown>> | undefined;
  /** The key that seals compactions. Undefined if the answer cannot be a compaction. */
  recapKey?: Uint8Array | undefined;
  /** Receives what a stream has lost after its head was sent. */
  reportLoss?(loss: LossCode): void;
};
