import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { checkRequest } from './check-request.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeCounts, decodeFormat, decodeHints, decodeSampling, decodeThinking } from './decode-options.ts';
import { decodeTools } from './decode-tools.ts';
import { PROTOCOL } from './protocol.ts';

/** Decodes a body, or returns the refusal for an invalid one. */
export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const request = checkRequest(body.value, validate);
  if (request instanceof Refusal) return request;
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
