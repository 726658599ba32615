import { Refusal } from '../../../base/errors/refusal.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';
import type { EmbeddingsRequest } from './request-schema.ts';
import { vectorWidth } from './vector-width.ts';

/**
 * Returns the client's own text with the upstream's model name.
 * The width stays only if the model supports it.
 */
export function patchRequest(
  { body }: InferenceRequest,
  upstreamModel: string,
  { vectors }: EncodeTarget,
): string | Refusal {
  const width = vectorWidth((body.value as EmbeddingsRequest).dimensions, vectors);
  if (width instanceof Refusal) return width;
  return patchKnown(body.text, body.value, {
    model: jsonString(upstreamModel),
    dimensions: vectors && (width === undefined ? null : JSON.stringify(width)),
  });
}
