import type { CanonicalRequest } from '../../canonical/request.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { JsonBody } from '../../http/json-body.ts';
import { formatPath } from '../../schema/format-path.ts';
import type { Validator } from '../../schema/validator.ts';
import { textOf } from '../read-json.ts';
import { checkRequest } from './check-request.ts';
import { decodeInput } from './decode-input.ts';
import {
  decodeFormat,
  decodeHints,
  decodeLogprobs,
  decodeOwn,
  decodeSampling,
  decodeThinking,
} from './decode-options.ts';
import { decodeTools } from './decode-tools.ts';

/** The new input only: what a previous response adds is put before it by whoever keeps them. */
export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const problem = validate(body.value);
  if (problem) {
    const param = formatPath(problem.path);
    return new Refusal('invalid_request', { param, message: `${param} ${problem.message}` });
  }
  return checkRequest(body.value) ?? build(body);
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
    ...decodeOwn(value),
  };
}
