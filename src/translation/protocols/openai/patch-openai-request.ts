import type { JsonObject } from '../../../base/json/json-body.ts';
import { patchChecked } from '../../../base/json/patch-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';

/** A patch of the members that limit an answer's tokens. */
export type CeilingPatch = { max_completion_tokens?: NewText; max_tokens?: NewText };

type NewText = string | null | undefined;

/** Reports whether the client asked for the usage of a stream. */
export const wantsUsage = (body: JsonObject): boolean => objectOf(body.stream_options).include_usage === true;

/** Returns the client's own text with the upstream's model name. A stream is always asked for its usage. */
export function patchOpenaiRequest(
  { body, stream }: InferenceRequest,
  upstreamModel: string,
  { max_completion_tokens, max_tokens }: CeilingPatch,
): string {
  const patch = {
    max_completion_tokens,
    max_tokens,
    model: jsonString(upstreamModel),
    stream_options: stream && !wantsUsage(body.value) ? withUsage(body.value) : undefined,
  };
  return patchChecked(body.text, body.value, patch);
}

const withUsage = ({ stream_options }: JsonObject): string =>
  JSON.stringify({ ...objectOf(stream_options), include_usage: true });
