import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { Stop, StopKind } from '../../canonical/event.ts';

/**
 * The vendor's stop reasons, and further ones that models send:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
const stopKinds: Readonly<Record<string, StopKind>> = {
  end_turn: 'end-turn',
  tool_use: 'tool-call',
  max_tokens: 'max-tokens',
  stop_sequence: 'stop-sequence',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
  refusal: 'refusal',
  pause_turn: 'pause',
  model_context_window_exceeded: 'context-window',
};

/**
 * Reads the stop. The stop sequence is in the model's own fields: at their top level in a unary answer, in
 * `delta` in a stream.
 */
export function stopOf(messageStop: Fields): Stop {
  const raw = textOf(messageStop.stopReason) ?? '';
  const fields = objectOf(messageStop.additionalModelResponseFields);
  const sequence = textOf(fields.stop_sequence) ?? textOf(objectOf(fields.delta).stop_sequence);
  return { kind: lookUp(stopKinds, raw) ?? 'other', raw, ...(sequence === undefined ? {} : { sequence }) };
}
