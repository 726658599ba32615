import { Refusal } from '../../../base/errors/refusal.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import type { EncodeTarget } from '../../contract/codec.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';
import type { EmbeddingsRequest } from './request-schema.ts';

/** Returns the client's own text with the upstream's model name. The width stays only if the model supports it. */
export function patchRequest(
  { body }: InferenceRequest,
  upstreamModel: string,
  { vectors }: EncodeTarget,
): string | Refusal {
  const { dimensions } = body.value as EmbeddingsRequest;
  if (vectors && dimensions != null) {
    if (dimensions > vectors.width)
      return refuse(`the chosen model's vectors have at most ${vectors.width} dimensions`);
    if (dimensions < vectors.width && !vectors.canShorten)
      return refuse(`the chosen model's vectors always have ${vectors.width} dimensions`);
  }
  const width = vectors?.sendsWidth ? JSON.stringify(dimensions ?? vectors.width) : null;
  return patchKnown(body.text, body.value, {
    model: jsonString(upstreamModel),
    dimensions: vectors && width,
  });
}

const refuse = (problem: string): Refusal =>
  new Refusal('route_not_qualified', { param: 'dimensions', message: `dimensions: ${problem}` });
