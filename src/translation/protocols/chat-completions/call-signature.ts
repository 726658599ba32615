import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, unpackReplay } from '../../encoding/replay-token.ts';
import { PROTOCOL } from './protocol.ts';

/**
 * Formats the field in which Google's hosts of this protocol sign calls. Clients that know the field return
 * it.
 */
export const formatSignature = (replay: ReplayToken) => ({
  extra_content: { google: { thought_signature: packReplay(PROTOCOL, replay) } },
});

/** Reads the signature of a call. Returns undefined without a signature, and for a damaged one. */
export function readSignature(call: Fields): ReplayToken | undefined {
  const google = isObject(call.extra_content) ? call.extra_content.google : undefined;
  const signature = isObject(google) ? google.thought_signature : undefined;
  return typeof signature === 'string' && signature !== '' ? unpackReplay(PROTOCOL, signature) : undefined;
}
