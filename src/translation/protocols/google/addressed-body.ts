import { type JsonBody, type JsonObject, knownBody, respelledBody } from '../../../base/json/json-body.ts';
import { patchKnown } from '../../../base/json/patch-json.ts';
import { configOf } from './decode-generation.ts';
import { normalBody } from './normal-body.ts';

/** The values that the address of a request adds to its body. */
export type Address = { model: string; stream: boolean };

/**
 * The member for the output ceiling.
 * The vendor has it in the configuration, where no other part of the gateway looks for it.
 */
export const CEILING = 'maxOutputTokens';

/**
 * Returns the body in normal form, with the model, the stream and the output ceiling
 * as members of the body itself.
 */
export function addressedBody(body: JsonBody, { model, stream }: Address): JsonBody {
  const { text, value } = normalBody(body);
  const ceiling = configOf(value)[CEILING];
  const added = { model, stream, ...(ceiling != null && { [CEILING]: ceiling }) };
  const { [CEILING]: _, ...members } = value;
  const patch = Object.fromEntries(
    Object.entries({ [CEILING]: null, ...added }).map(([name, member]) => [
      name,
      member === null ? null : JSON.stringify(member),
    ]),
  );
  const patched = patchKnown(text, value, patch);
  const made = { ...members, ...added } as JsonObject;
  return ADDED.some((name) => name in value)
    ? knownBody(patched, made)
    : respelledBody(patched, made, body.text);
}

/** A body that has one of these members itself differs from what the vendor is sent. */
const ADDED = ['model', 'stream', CEILING];
