import { type JsonBody, knownBody } from '../../base/json/json-body.ts';
import { patchKnown } from '../../base/json/patch-json.ts';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';

/** Whether the answer is to be kept. */
export const asksToStore = ({ body }: Pick<InferenceRequest, 'body'>): boolean => body.value.store !== false;

/** The same request as if its client had asked that nothing be stored: its answer says so. */
export function withoutStoring(request: InferenceRequest): InferenceRequest {
  const { text, value } = request.body;
  const body: JsonBody = knownBody(patchKnown(text, value, { store: 'false' }, true), {
    ...value,
    store: false,
  });
  return { ...request, body };
}
