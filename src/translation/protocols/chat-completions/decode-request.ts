import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeCounts, decodeFormat, decodeHints, decodeSampling, decodeThinking } from './decode-options.ts';
import { decodeTools } from './decode-tools.ts';
import { findFault } from './find-fault.ts';
import { PROTOCOL } from './protocol.ts';
import type { ChatRequest } from './request-schema.ts';

export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const fault = findFault(body.value, validate);
  if (fault) return fault;
  const request = body.value as ChatRequest;
  return {
    model: request.model,
    stream: request.stream === true,
    ...decodeMessages(request.messages),
    ...decodeTools(body, request),
    ...decodeCounts(request),
    sampling: decodeSampling(request),
    ...decodeFormat(body, request),
    ...decodeThinking(request),
    ...(request.verbosity && { verbosity: request.verbosity }),
    hints: decodeHints(request),
    ...keepOwnFields(PROTOCOL, body.value),
  };
}
