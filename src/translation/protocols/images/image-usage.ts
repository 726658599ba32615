import type { JsonObject } from '../../../base/json/json-body.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { InferenceRequest } from '../inference-request.ts';
import { meteredUsage } from '../metered/metered-usage.ts';
import { formOf } from './asked-images.ts';

/** Returns the usage of an answer with this number of images. The answer tells the form that the request left to the model. */
export function imageUsage(count: number, answer: JsonObject, { metered }: InferenceRequest): Usage {
  const asked = metered?.image ?? {};
  const told = formOf(answer);
  const image = { size: asked.size ?? told.size, quality: asked.quality ?? told.quality };
  const most = metered?.counts.image ?? count;
  return meteredUsage({ counts: { image: Math.min(count, most) }, image }, answer.usage);
}
