import { memberText } from '../../../base/json/member-text.ts';
import { patchKnown, patchPart } from '../../../base/json/patch-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import type { EncodedRequest, EncodeTarget } from '../../contract/codec.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { EncodeNotes } from '../../encoding/encode-notes.ts';
import { planThinking } from '../../encoding/thinking-plan.ts';
import { jsonString } from '../../framing/json-string.ts';
import { decodeThinking } from './decode-options.ts';
import { encodeThinking } from './encode-generation.ts';
import { CEILING } from './normal-request.ts';

const CONFIG = 'generation_config';

/**
 * Patches the client's own text for an upstream that stores nothing, since the gateway stores and
 * continues answers itself. A ceiling above the model's own is lowered, and thinking that the
 * model does not have is left out.
 */
export function patchRequest(
  { body }: InferenceRequest,
  upstreamModel: string,
  target: EncodeTarget,
): EncodedRequest {
  const { text, value } = body;
  const notes = new EncodeNotes();
  const patch = { ...ceilingOf(value[CEILING], target), ...thinkingOf(value, target, notes) };
  const config = value[CONFIG] == null ? '{}' : memberText(body, CONFIG);
  const patched = patchKnown(text, value, {
    model: jsonString(upstreamModel),
    store: 'false',
    previous_interaction_id: null,
    background: null,
    [CEILING]: null,
    ...(Object.keys(patch).length > 0 && { [CONFIG]: patchPart(config, patch) }),
  });
  return { body: patched, losses: notes.losses };
}

type Patch = Record<string, string | null>;

const ceilingOf = (ceiling: unknown, { maxOutput = Number.POSITIVE_INFINITY }: EncodeTarget): Patch =>
  typeof ceiling === 'number' ? { [CEILING]: String(Math.min(ceiling, maxOutput)) } : {};

function thinkingOf(
  value: Readonly<Record<string, unknown>>,
  target: EncodeTarget,
  notes: EncodeNotes,
): Patch {
  const thinking = decodeThinking(value);
  const { thinking_level: asked } = objectOf(value[CONFIG]);
  if (thinking === undefined) return {};
  const plan = planThinking({ thinking }, target, notes);
  const { thinking_level: level } = encodeThinking(plan, { target, notes });
  return {
    ...(asked != null &&
      level !== asked && { thinking_level: level === undefined ? null : jsonString(level) }),
    ...(plan === undefined && { thinking_summaries: null }),
  };
}
