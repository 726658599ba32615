import type { Refusal } from '../../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../../base/errors/unqualified-param.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';
import { isKept } from '../is-kept.ts';
import { fitCeiling } from './fit-ceiling.ts';
import { ENCRYPTED_CONTENT } from './view.ts';

/**
 * Patches the client's own text for an upstream that stores nothing, since the gateway stores, continues and
 * makes answers in the background itself. Options that the model lacks are removed. Encrypted reasoning is
 * requested for later turns.
 */
export const patchRequest = (
  { body: { text, value } }: InferenceRequest,
  upstreamModel: string,
  target: EncodeTarget,
): string | Refusal =>
  unknownEffort(value, target) ??
  patchKnown(text, value, {
    model: jsonString(upstreamModel),
    store: 'false',
    previous_response_id: null,
    background: null,
    background_options: null,
    max_output_tokens: newCeiling(value, target),
    ...(target.reasoning
      ? { include: includeWithEncrypted(value), reasoning: reasoningWithSummary(value) }
      : { include: includeWithoutEncrypted(value), reasoning: null }),
  });

/** Refuses an effort that the model does not list. A model without thinking satisfies `none`. */
function unknownEffort(value: JsonObject, target: EncodeTarget): Refusal | undefined {
  const { effort } = objectOf(value.reasoning);
  if (typeof effort !== 'string' || target.reasoningEfforts.includes(effort)) return undefined;
  if (effort === 'none' && !target.reasoning) return undefined;
  const quoted = JSON.stringify(effort.slice(0, 40));
  return unqualifiedParam('reasoning.effort', `the chosen model does not accept ${quoted}`);
}

/** Returns a token limit between the vendor's minimum and the model's maximum, if the client's own is not. */
function newCeiling({ max_output_tokens: ceiling }: JsonObject, target: EncodeTarget): string | undefined {
  if (typeof ceiling !== 'number') return undefined;
  const accepted = fitCeiling(ceiling, target);
  return accepted === ceiling ? undefined : String(accepted);
}

/** Returns `include` with encrypted reasoning, which later turns of a stored answer need. */
function includeWithEncrypted(value: JsonObject): string | undefined {
  const include = listOf(value.include);
  if (!isKept(value) || include.includes(ENCRYPTED_CONTENT)) return undefined;
  return JSON.stringify([...include, ENCRYPTED_CONTENT]);
}

/**
 * Returns `include` without encrypted reasoning, which the vendor refuses for a model that does not reason.
 * Agents ask every model for it.
 */
function includeWithoutEncrypted(value: JsonObject): string | null | undefined {
  const include = listOf(value.include);
  if (!include.includes(ENCRYPTED_CONTENT)) return undefined;
  const others = include.filter((word) => word !== ENCRYPTED_CONTENT);
  return others.length > 0 ? JSON.stringify(others) : null;
}

/**
 * Returns `reasoning` with a summary. A client that sends `reasoning` expects to see it, and this vendor
 * shows reasoning only in summaries.
 */
function reasoningWithSummary({ reasoning }: JsonObject): string | undefined {
  if (reasoning == null) return undefined;
  const sent = objectOf(reasoning);
  const summary = sent.summary ?? sent.generate_summary;
  return summary == null && sent.effort !== 'none' ? JSON.stringify({ ...sent, summary: 'auto' }) : undefined;
}
