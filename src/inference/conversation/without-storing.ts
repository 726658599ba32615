import { type JsonBody, knownBody } from '../../base/json/json-body.ts';
import { patchChecked } from '../../base/json/patch-json.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';

/** Reports whether the client wants the answer stored. */
export const asksToStore = ({ body }: Pick<InferenceRequest, 'body'>): boolean => body.value.store !== false;

/** Returns the request as if its client had sent `store: false`. The answer shows that value. */
export function withoutStoring(request: InferenceRequest): InferenceRequest {
  const { text, value } = request.body;
  const body: JsonBody = knownBody(patchChecked(text, value, { store: 'false' }), {
    ...value,
    store: false,
  });
  return { ...request, body };
}
