import { sliceJson } from '../../../base/json/slice-json.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { DialectCodec } from '../../contract/dialect-codec.ts';
import type { AnswerFinisher } from '../../contract/finished-answer.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { isKept } from '../is-kept.ts';
import { createStreamEncoder } from './create-stream-encoder.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeReplay, encodeResponse } from './encode-response.ts';
import { responsesRequestSchema } from './request-schema.ts';

const paramNames = {
  logprobs: 'top_logprobs',
  messages: 'input',
  reasoning_effort: 'reasoning.effort',
  response_format: 'text.format',
  thinking: 'reasoning',
};

export function createResponsesDialectCodec(): DialectCodec {
  const validate = createValidator(responsesRequestSchema);
  return {
    id: 'responses',
    decodeRequest: (body) => decodeRequest(body, validate),
    streamEncoder: createStreamEncoder,
    encodeResponse,
    answerFinisher,
    paramNames,
  };
}

export const responsesDialect: DialectCodec = createResponsesDialectCodec();

/** Returns the finisher of a translated answer, if the answer is stored. */
function answerFinisher(head: ResponseHead): AnswerFinisher | undefined {
  if (!isKept(head.body.value)) return undefined;
  return ({ parts }, sent) => ({
    envelope: sliceJson(sent, ['response']) ?? sent,
    items: JSON.stringify(encodeReplay(parts, head)),
  });
}
