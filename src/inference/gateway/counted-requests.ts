import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';

/** How many requests it counts as in the windows: one for each answer that a model writes for it. */
export const countedRequests = ({ prompts, answers, written }: InferenceRequest): number =>
  written ?? answers ?? prompts ?? 1;
