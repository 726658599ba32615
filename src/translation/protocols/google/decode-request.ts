import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody } from '../../../base/json/json-body.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { CEILING } from './addressed-body.ts';
import { checkTools } from './check-tools.ts';
import { decodeContents, decodeSystem } from './decode-contents.ts';
import { configOf, decodeCounts, decodeFormat, decodeSampling, decodeThinking } from './decode-generation.ts';
import { decodeTier } from './decode-tier.ts';
import { decodeTools } from './decode-tools.ts';

/** Decodes a body in the form of addressedBody, or returns the refusal for an invalid one. */
export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const { value } = body;
  const { model } = value;
  if (typeof model !== 'string' || model === '') return invalidParam('model', 'is required');
  return refuseInvalid(value, validate) ?? checkTools(value) ?? decodeChecked(body, model);
}

function decodeChecked(body: JsonBody, model: string): CanonicalRequest {
  const { value } = body;
  const config = configOf(value);
  const format = decodeFormat(body);
  const thinking = decodeThinking(config);
  return {
    model,
    stream: value['stream'] === true,
    system: decodeSystem(value),
    turns: decodeContents(body),
    ...decodeTools(body),
    ...decodeCounts({ ...config, maxOutputTokens: value[CEILING] }),
    sampling: decodeSampling(config),
    ...(format && { format }),
    ...(thinking && { thinking }),
    hints: decodeTier(value['serviceTier']),
    ...keepOwnFields('google', { ...config, ...value }),
  };
}
