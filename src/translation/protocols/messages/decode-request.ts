import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { refuseInvalid } from '../../../base/schema/refuse-invalid.ts';
import type { Validator } from '../../../base/schema/validator.ts';
import type { CanonicalRequest, Turn } from '../../canonical/request.ts';
import { keepOwnFields } from '../../encoding/own-fields.ts';
import { decodeFormat, decodeHints, decodeSampling, decodeThinking } from './decode-options.ts';
import { decodeTexts } from './decode-text.ts';
import { checkTools, decodeToolChoice, decodeTools } from './decode-tools.ts';
import { decodeTurns } from './decode-turns.ts';
import { type InputTexts, inputTexts } from './input-texts.ts';

/** Decodes a body. `validate`: the check of a request, or of a token count. */
export function decodeRequest(body: JsonBody, validate: Validator): CanonicalRequest | Refusal {
  const { value } = body;
  if (value.thread != null) return threadUnsupported();
  return refuseInvalid(value, validate) ?? checkTools(value) ?? build(body);
}

/**
 * Refuses `thread`. The official client reacts by sending the whole history, which would be lost if the field
 * were ignored.
 */
const threadUnsupported = (): Refusal =>
  new Refusal('invalid_request', {
    param: 'thread',
    message: 'thread is not supported: send the whole conversation',
    fields: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
  });

function build(body: JsonBody): CanonicalRequest {
  const { value } = body;
  const format = decodeFormat(body);
  const thinking = decodeThinking(value);
  return {
    model: String(value.model),
    stream: value.stream === true,
    ...decodeConversation(value, inputTexts(body)),
    tools: decodeTools(body),
    ...decodeToolChoice(value.tool_choice),
    ...(typeof value.max_tokens === 'number' && { maxOutputTokens: value.max_tokens }),
    sampling: decodeSampling(value),
    ...(format && { format }),
    ...(thinking && { thinking }),
    hints: decodeHints(value),
    ...keepOwnFields('messages', value),
  };
}

/** Decodes the conversation. Blocks of the system prompt that only the vendor knows become the first turn. */
function decodeConversation({ system, messages }: JsonObject, inputs: InputTexts) {
  const blocks = listOf(system).filter((block) => objectOf(block).type !== 'text');
  const leading: Turn[] =
    blocks.length === 0
      ? []
      : [{ role: 'system', parts: blocks.map((block) => ({ kind: 'opaque', issuer: 'messages', block })) }];
  return { system: decodeTexts(system), turns: [...leading, ...decodeTurns(listOf(messages), inputs)] };
}
