import { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { type JsonPatch, patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import type { EncodeTarget } from '../../contract/codec.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';
import { MIN_OUTPUT_TOKENS } from './min-output-tokens.ts';
import { ENCRYPTED_CONTENT, isKept } from './view.ts';

/**
 * Patches the client's own text for an upstream that stores nothing, since the gateway stores and continues
 * answers itself. Options that the model lacks are removed. Encrypted reasoning is requested for later turns.
 */
export const patchRequest = (
  { body }: InferenceRequest,
  upstreamModel: string,
  target: EncodeTarget,
): string | Refusal =>
  unknownEffort(body.value, target) ??
  patchKnown(body.text, body.value, {
    model: jsonString(upstreamModel),
    store: 'false',
    previous_response_id: null,
    background: null,
    ...ceiling(body.value, target),
    ...reasoning(body.value, target),
  });

/** Refuses an effort that the model does not list. A model without thinking satisfies `none`. */
function unknownEffort(value: JsonObject, target: EncodeTarget): Refusal | undefined {
  const { effort } = objectOf(value.reasoning);
  if (typeof effort !== 'string' || target.reasoningEfforts.includes(effort)) return undefined;
  if (effort === 'none' && !target.reasoning) return undefined;
  const shown = JSON.stringify(effort.slice(0, 40));
  return new Refusal('route_not_qualified', {
    param: 'reasoning.effort',
    message: `reasoning.effort: the chosen model does not accept ${shown}`,
  });
}

/** Keeps the token limit between the vendor's minimum and the model's maximum. */
function ceiling(
  { max_output_tokens: asked }: JsonObject,
  { maxOutput = Infinity }: EncodeTarget,
): JsonPatch {
  if (typeof asked !== 'number') return NO_PATCH;
  const taken = Math.max(Math.min(asked, maxOutput), MIN_OUTPUT_TOKENS);
  return taken === asked ? NO_PATCH : { max_output_tokens: String(taken) };
}

const NO_PATCH: JsonPatch = {};

/**
 * Adds a summary to `reasoning`. A client that sends `reasoning` expects to see it, and this vendor shows
 * reasoning only in summaries.
 */
function reasoning(value: JsonObject, target: EncodeTarget): JsonPatch {
  if (!target.reasoning) return { reasoning: null };
  const include = listOf(value.include);
  const wantsMore = isKept(value) && !include.includes(ENCRYPTED_CONTENT);
  const asked = objectOf(value.reasoning);
  const isSilent = (asked.summary ?? asked.generate_summary ?? null) === null;
  return {
    ...(wantsMore && { include: JSON.stringify([...include, ENCRYPTED_CONTENT]) }),
    ...(value.reasoning != null &&
      isSilent &&
      asked.effort !== 'none' && { reasoning: JSON.stringify({ ...asked, summary: 'auto' }) }),
  };
}
