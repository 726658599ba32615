import type { Refusal } from '../../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../../base/errors/unqualified-param.ts';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { textOf } from '../../../base/json/read-json.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { checkRequest } from './check-request.ts';
import { decodeInput } from './decode-input.ts';
import {
  decodeFormat,
  decodeHints,
  decodeLogprobs,
  decodeSampling,
  decodeThinking,
  decodeVerbosity,
} from './decode-options.ts';
import { decodeTools } from './decode-tools.ts';

/** Decodes the new input only. The response store adds the items of a previous response. */
export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  return checkRequest(body.value, validate) ?? refuseStoredPrompt(body.value) ?? build(body);
}

/** Refuses references to stored prompts. Only a provider of this protocol can look them up. */
function refuseStoredPrompt({ prompt }: JsonObject): Refusal | undefined {
  if (prompt == null) return undefined;
  return unqualifiedParam(
    'prompt',
    'the chosen model cannot look up stored prompts; send the prompt as input',
  );
}

function build(body: JsonBody): CanonicalRequest {
  const { value } = body;
  const { system, turns } = decodeInput(value.input);
  const instructions = textOf(value.instructions);
  const format = decodeFormat(body);
  const thinking = decodeThinking(value);
  return {
    model: String(value.model),
    stream: value.stream === true,
    system: instructions ? [{ kind: 'text', text: instructions }, ...system] : system,
    turns,
    ...decodeTools(body),
    ...(typeof value.parallel_tool_calls === 'boolean' && { parallelToolCalls: value.parallel_tool_calls }),
    ...(typeof value.max_output_tokens === 'number' && { maxOutputTokens: value.max_output_tokens }),
    sampling: decodeSampling(value),
    ...(format && { format }),
    ...(thinking && { thinking }),
    ...decodeLogprobs(value),
    hints: decodeHints(value),
    ...decodeVerbosity(value),
    ...keepOwnFields('responses', value),
  };
}
