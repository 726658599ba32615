import type { JsonObject } from '../../../base/json/json-body.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { meteredUsage } from '../metered/metered-usage.ts';
import { imageForm } from './image-form.ts';

/**
 * Returns the usage of an answer with this number of images.
 * The answer has the form that the request left to the model.
 */
export function imageUsage(count: number, answer: JsonObject, { metered }: InferenceRequest): Usage {
  const requested = metered?.image ?? {};
  const made = imageForm(answer);
  const image = { size: requested.size ?? made.size, quality: requested.quality ?? made.quality };
  const limit = metered?.counts.image ?? count;
  return meteredUsage({ counts: { image: Math.min(count, limit) }, image }, answer.usage);
}

/**
 * Reports whether an item or an event of an answer has an image.
 * Some hosts put a reason in the place of an image.
 */
export const isWhole = ({ b64_json: bytes, url }: JsonObject): boolean =>
  [bytes, url].some((value) => typeof value === 'string' && value !== '');
