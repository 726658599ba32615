import type { Carriage } from '../../translation/contract/carriage.ts';
import type { OpenCall } from '../../upstream/calling/open-call.ts';
import type { HttpAnswer } from '../../upstream/http-client/http-answer.ts';
import type { Inference } from '../request/inference.ts';

/** An upstream's answer that has begun, and the request that it answers. */
export type BegunAnswer = {
  inference: Inference;
  carriage: Carriage;
  answer: HttpAnswer;
  attempt: OpenCall;
};
