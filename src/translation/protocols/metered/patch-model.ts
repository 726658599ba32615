import { patchKnown } from '../../../base/json/patch-json.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { jsonString } from '../../framing/json-string.ts';

/** Returns the client's own text with the upstream's model name. */
export const patchModel = ({ body }: InferenceRequest, upstreamModel: string): string =>
  patchKnown(body.text, body.value, { model: jsonString(upstreamModel) });
