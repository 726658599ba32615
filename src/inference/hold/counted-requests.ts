import type { InferenceRequest } from '../../translation/contract/inference-request.ts';

/** Returns the number of requests that the rate limits count: one for each answer that a model writes. */
export const countedRequests = ({ prompts, answers, written }: InferenceRequest): number =>
  written ?? answers ?? prompts ?? 1;
