import { Refusal } from '../../../base/errors/refusal.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { DialectCodec } from '../../contract/codec.ts';
import { joinChoices } from '../openai/join-choices.ts';
import { createChoiceEncoder } from './create-choice-encoder.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { closingFrames, createStreamEncoder } from './encode-stream.ts';
import { PROTOCOL } from './protocol.ts';
import { requestSchema } from './request-schema.ts';

export function createChatDialectCodec(): DialectCodec {
  const validate = createValidator(requestSchema);
  return {
    id: PROTOCOL,
    decodeRequest: (body) => decodeRequest(body, validate),
    streamEncoder: createStreamEncoder,
    encodeResponse,
    severalAnswers: {
      split: (body) => split(decodeRequest(body, validate)),
      choiceEncoder: createChoiceEncoder,
      closingFrames,
      join: joinChoices,
    },
    paramNames: { thinking: 'reasoning_effort' },
  };
}

/** Returns the request once for each of its answers. */
function split(original: CanonicalRequest | Refusal): CanonicalRequest[] | Refusal {
  if (original instanceof Refusal) return original;
  const { choices = 1, ...request } = original;
  return Array.from({ length: choices }, () => request);
}
