import type { JsonObject } from '../http/json-body.ts';
import type { InferenceRequest } from './dialect.ts';
import { type JsonPatch, patchKnown } from './patch-json.ts';
import { objectOf } from './read-json.ts';

/** Whether the client wants to see the usage of a stream. */
export const wantsUsage = (body: JsonObject): boolean =>
  objectOf(body['stream_options'])['include_usage'] === true;

/** The client's own text with the upstream's name of the model; of a stream we want to know the usage ourselves. */
export function patchOpenaiRequest(
  { body, stream }: InferenceRequest,
  upstreamModel: string,
  more: JsonPatch = {},
): string {
  const patch: Record<string, string | null> = { ...more, model: JSON.stringify(upstreamModel) };
  if (stream && !wantsUsage(body.value)) {
    const options = objectOf(body.value['stream_options']);
    patch['stream_options'] = JSON.stringify({ ...options, include_usage: true });
  }
  return patchKnown(body.text, body.value, patch);
}
