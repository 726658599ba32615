import { Refusal } from '../../../base/errors/refusal.ts';
import { createValidator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { DialectCodec, SeveralAnswers } from '../../contract/dialect-codec.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { createChunkEncoder } from '../openai/create-chunk-encoder.ts';
import { joinChoices } from '../openai/join-choices.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { wantsUsage } from '../openai/patch-openai-request.ts';
import { usageFrame } from './completion-envelope.ts';
import { createChoiceEncoder } from './create-choice-encoder.ts';
import { decodeRequest } from './decode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { PROTOCOL } from './protocol.ts';
import { requestSchema } from './request-schema.ts';

/** Creates the codec for clients of chat completions, whose models are on other wires. */
export function createChatDialectCodec(): DialectCodec {
  const validate = createValidator(requestSchema);
  const severalAnswers: SeveralAnswers = {
    split: (body) => split(decodeRequest(body, validate)),
    choiceEncoder: createChoiceEncoder,
    closingFrames,
    join: joinChoices,
  };
  return {
    id: PROTOCOL,
    decodeRequest: (body) => decodeRequest(body, validate),
    streamEncoder: (head) => createChunkEncoder(head, severalAnswers),
    encodeResponse,
    severalAnswers,
    paramNames: { thinking: 'reasoning_effort' },
  };
}

/** Returns the request once for each of its answers. */
function split(original: CanonicalRequest | Refusal): CanonicalRequest[] | Refusal {
  if (original instanceof Refusal) return original;
  const { choices = 1, ...request } = original;
  return Array.from({ length: choices }, () => request);
}

/** Returns the frames after the last choice: the usage, if the client asked for it, and `[DONE]`. */
const closingFrames = (head: ResponseHead, usage: Usage | undefined): Frame[] => [
  ...(wantsUsage(head.body.value) ? [usageFrame(head, formatUsage(usage))] : []),
  { data: '[DONE]' },
];
