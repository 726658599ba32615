import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import type { LoadCaller } from './loads.ts';

/** A request in a dialect whose answers are kept. */
export type KeptRequest = LoadCaller & {
  request: InferenceRequest;
  /** The catalog's id of the model that is asked. */
  model: string;
  /** Of the answer. */
  id: string;
};
