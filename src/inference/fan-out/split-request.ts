import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { DialectCodec, SeveralAnswers } from '../../translation/contract/dialect-codec.ts';
import type { Inference } from '../request/inference.ts';
import type { PartUsage } from './part-usage.ts';

/** One of several answers, which is requested by itself. */
export type RequestPart = {
  /** The place of its answer among the others. */
  index: number;
  request: CanonicalRequest;
  usage: PartUsage;
};

/** A request that is split into one part for each answer. */
export type SplitRequest = {
  inference: Inference;
  /** The codec of the client's dialect. */
  codec: DialectCodec;
  severalAnswers: SeveralAnswers;
  parts: readonly RequestPart[];
  /** The creation time of all answers, in Unix seconds. */
  createdAt: number;
  /** The signals that end the remaining parts: the client left, or the gateway called the parts off. */
  endSignals: { either: AbortSignal; calledOff: AbortSignal };
  callOff(): void;
};
