import type { JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { patchKnown, patchPart } from '../../../base/json/patch-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { isEmptyObject } from '../../../base/lib/is-empty-object.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import type { EncodedRequest } from '../../contract/wire-codec.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { planThinking } from '../../encoding/plan-thinking.ts';
import { jsonString } from '../../framing/json-string.ts';
import { decodeThinking } from './decode-options.ts';
import { encodeThinking } from './encode-generation.ts';
import { CEILING } from './normal-request.ts';

/** New texts of members of the configuration: null removes a member. */
type ConfigPatch = Record<string, string | null>;

/**
 * Patches the client's own text for an upstream that stores nothing, since the gateway stores and continues
 * answers itself. A ceiling above the model's own is lowered, and thinking that the model does not have is
 * left out.
 */
export function patchRequest(
  { body }: InferenceRequest,
  upstreamModel: string,
  target: EncodeTarget,
): EncodedRequest {
  const { text, value } = body;
  const notes = new EncodeNotes();
  const patch = { ...ceilingPatch(value[CEILING], target), ...thinkingPatch(value, target, notes) };
  const config = value.generation_config == null ? '{}' : memberText(body, 'generation_config');
  const patched = patchKnown(text, value, {
    model: jsonString(upstreamModel),
    store: 'false',
    previous_interaction_id: null,
    background: null,
    [CEILING]: null,
    generation_config: isEmptyObject(patch) ? undefined : patchPart(config, patch),
  });
  return { body: patched, losses: notes.losses };
}

/** Moves the ceiling from the body in normal form to the configuration. */
const ceilingPatch = (ceiling: unknown, { maxOutput = Infinity }: EncodeTarget): ConfigPatch =>
  typeof ceiling === 'number' ? { [CEILING]: String(Math.min(ceiling, maxOutput)) } : {};

/** Replaces a level that the model lacks, and removes all thinking for a model that cannot think. */
function thinkingPatch(value: JsonObject, target: EncodeTarget, notes: EncodeNotes): ConfigPatch {
  const thinking = decodeThinking(value);
  if (thinking === undefined) return {};
  const plan = planThinking({ thinking }, target, notes);
  if (plan === undefined) return { thinking_level: null, thinking_summaries: null };
  const { thinking_level: wanted } = objectOf(value.generation_config);
  const { thinking_level: level = null } = encodeThinking(plan, { target, notes });
  return wanted == null || wanted === level
    ? {}
    : { thinking_level: level === null ? null : jsonString(level) };
}
