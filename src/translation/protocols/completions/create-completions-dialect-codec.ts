import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { DialectCodec, SeveralAnswers } from '../../contract/dialect-codec.ts';
import { createChunkEncoder } from '../openai/create-chunk-encoder.ts';
import { joinChoices } from '../openai/join-choices.ts';
import { createRequestCheck } from './create-request-check.ts';
import { closingFrames, createChoiceEncoder, encodeResponse } from './encode-completion.ts';
import { PROTOCOL } from './protocol.ts';
import { splitRequest } from './split-request.ts';

/** Creates the codec for clients of legacy completions, whose models are on other wires. */
export function createCompletionsDialectCodec(): DialectCodec {
  const check = createRequestCheck();
  const split = ({ value }: JsonBody): CanonicalRequest[] | Refusal => {
    const request = check(value);
    return request instanceof Refusal ? request : splitRequest(request);
  };
  const severalAnswers: SeveralAnswers = {
    split,
    choiceEncoder: createChoiceEncoder,
    closingFrames,
    join: joinChoices,
  };
  return {
    id: PROTOCOL,
    decodeRequest(body) {
      const requests = split(body);
      return requests instanceof Refusal ? requests : requests[0]!; // a request has at least one prompt
    },
    streamEncoder: (head) => createChunkEncoder(head, severalAnswers),
    encodeResponse,
    paramNames: { messages: 'prompt', max_completion_tokens: 'max_tokens' },
    severalAnswers,
  };
}
