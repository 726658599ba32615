import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { textOf } from '../../../base/json/read-json.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { decodeTier } from '../google/decode-tier.ts';
import { checkRequest } from './check-request.ts';
import { decodeFormat, decodeSampling, decodeThinking } from './decode-options.ts';
import { decodeSteps } from './decode-steps.ts';
import { decodeTools } from './decode-tools.ts';
import { CEILING } from './normal-request.ts';

/** Decodes a body in normal form. */
export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const { value } = body;
  const refusal = checkRequest(value, validate);
  if (refusal) return refusal;
  if (value.continuation_token != null) return refuseContinuation();
  const instruction = textOf(value.system_instruction);
  const ceiling = value[CEILING];
  const format = decodeFormat(body);
  const thinking = decodeThinking(value);
  return {
    model: String(value.model),
    stream: value.stream === true,
    system: instruction ? [{ kind: 'text', text: instruction }] : [],
    turns: decodeSteps(body),
    ...decodeTools(body),
    ...(typeof ceiling === 'number' && { maxOutputTokens: ceiling }),
    sampling: decodeSampling(value),
    ...(format && { format }),
    ...(thinking && { thinking }),
    hints: decodeTier(value.service_tier),
    ...keepOwnFields('interactions', value),
  };
}

/** Only the vendor that issued a token can continue the answer. */
const refuseContinuation = (): Refusal =>
  new Refusal('invalid_request', {
    param: 'continuation_token',
    message: "continuation_token: the chosen model's provider cannot continue this answer.",
  });
