import { type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { patchChecked } from '../../base/json/patch-json.ts';
import { objectOf } from '../../base/json/read-json.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';

/** Returns the id of the conversation that a request names. */
export function conversationName({ conversation }: JsonObject): string | undefined {
  if (conversation == null) return undefined;
  return typeof conversation === 'string' ? conversation : String(objectOf(conversation).id);
}

/**
 * Returns the request as it goes to a model. Only the gateway knows the conversation, and its answer names
 * it.
 */
export function withoutName(request: InferenceRequest, id: string): InferenceRequest {
  const { text, value } = request.body;
  const { conversation: _, ...members } = value;
  const body = knownBody(patchChecked(text, value, { conversation: null }), members);
  return { ...request, body, echo: { ...request.echo, conversation: { id } } };
}
