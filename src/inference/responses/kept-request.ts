import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { LoadCaller } from './loads.ts';

/** A request in a dialect whose answers are stored. */
export type KeptRequest = LoadCaller & {
  request: InferenceRequest;
  /** The catalog id of the requested model. */
  model: string;
  /** The id of the answer. */
  id: string;
};
