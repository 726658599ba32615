import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { SeveralAnswers } from '../../translation/contract/codec.ts';
import type { Inference } from '../request/inference.ts';
import type { PartUsage } from './part-usage.ts';

/** A request that is split into one request for each answer. */
export type SplitRequest = {
  inference: Inference;
  several: SeveralAnswers;
  requests: readonly CanonicalRequest[];
  /** The usage of each part. */
  usages: readonly PartUsage[];
  /** The creation time of all answers, in Unix seconds. */
  createdAt: number;
  /** The signals that end the remaining parts: the client left, or the gateway called the parts off. */
  ends: { either: AbortSignal; calledOff: AbortSignal };
  callOff(): void;
};
