import { type JsonBody, type JsonObject, knownBody, respelledBody } from '../../../base/json/json-body.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import { configOf } from './decode-generation.ts';
import { normalBody } from './normal-body.ts';

/** The values that the address of a request adds to its body. */
type Address = { model: string; stream: boolean };

/**
 * The member for the output ceiling.
 * The vendor has it in the configuration, where no other part of the gateway looks for it.
 */
export const CEILING = 'maxOutputTokens';

/** The members that are added. A body that has one of them itself differs from what the vendor is sent. */
const ADDED = ['model', 'stream', CEILING] as const;

/**
 * Returns the body in normal form, with the model, the stream and the output ceiling as members of the body
 * itself.
 */
export function addressedBody(body: JsonBody, { model, stream }: Address): JsonBody {
  const { text, value } = normalBody(body);
  const ceiling = configOf(value)[CEILING];
  const added = { model, stream, ...(ceiling != null && { [CEILING]: ceiling }) };
  const { [CEILING]: _, ...members } = value;
  const patch = {
    [CEILING]: ceiling == null ? null : JSON.stringify(ceiling),
    model: JSON.stringify(model),
    stream: JSON.stringify(stream),
  };
  const patched = patchKnown(text, value, patch);
  const addressed: JsonObject = { ...members, ...added };
  return ADDED.some((name) => name in value)
    ? knownBody(patched, addressed)
    : respelledBody(patched, addressed, body.text);
}
