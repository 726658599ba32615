import { type JsonBody, knownBody } from '../../../base/json/json-body.ts';
import { patchChecked } from '../../../base/json/patch-json.ts';

/** Returns the body without an `input` of null, which means the same as none. */
export function withoutNullInput(body: JsonBody): JsonBody {
  if (body.value.input !== null) return body;
  const { input: _, ...value } = body.value;
  return knownBody(patchChecked(body.text, body.value, { input: null }), value);
}
