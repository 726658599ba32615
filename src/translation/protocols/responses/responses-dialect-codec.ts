import { createValidator } from '../../../base/schema/validator.ts';
import type { DialectCodec } from '../../contract/dialect-codec.ts';
import { answerFinisher } from './answer-finisher.ts';
import { createStreamEncoder } from './create-stream-encoder.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';
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
