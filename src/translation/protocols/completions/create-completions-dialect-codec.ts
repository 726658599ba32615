import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { DialectCodec } from '../../contract/codec.ts';
import { joinChoices } from '../openai/join-choices.ts';
import { createRequestCheck } from './create-request-check.ts';
import {
  closingFrames,
  createChoiceEncoder,
  createStreamEncoder,
  encodeResponse,
} from './encode-completion.ts';
import { PROTOCOL } from './protocol.ts';
import { splitRequest } from './split-request.ts';

export function createCompletionsDialectCodec(): DialectCodec {
  const check = createRequestCheck();
  const split = ({ value }: JsonBody): CanonicalRequest[] | Refusal => {
    const request = check(value);
    return request instanceof Refusal ? request : splitRequest(request);
  };
  return {
    id: PROTOCOL,
    decodeRequest(body) {
      const requests = split(body);
      return requests instanceof Refusal ? requests : requests[0]!;
    },
    streamEncoder: createStreamEncoder,
    encodeResponse,
    paramNames: { messages: 'prompt', max_completion_tokens: 'max_tokens' },
    severalAnswers: { split, choiceEncoder: createChoiceEncoder, closingFrames, join: joinChoices },
  };
}
