import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { isFields } from '../../../base/schema/json-type.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { keepOwnFields } from '../own-fields.ts';
import { decodeMessages } from './decode-messages.ts';
import { decodeCounts, decodeFormat, decodeHints, decodeSampling, decodeThinking } from './decode-options.ts';
import { decodeTools } from './decode-tools.ts';
import { findFault } from './find-fault.ts';
import { PROTOCOL } from './protocol.ts';
import { type ChatRequest, formatsOfHosts } from './request-schema.ts';

export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const fault = findFault(body.value, validate) ?? findForeignFormat(body.value);
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

/**
 * Refuses response formats that exist on some hosts only. No other protocol can express them, and an answer in
 * another format would be wrong.
 */
function findForeignFormat({ response_format }: JsonObject): Refusal | undefined {
  const type = isFields(response_format) ? response_format.type : undefined;
  if (!formatsOfHosts.includes(String(type))) return undefined;
  return new Refusal('route_not_qualified', {
    param: 'response_format',
    message: `response_format: the chosen model cannot answer in a ${type}`,
  });
}
