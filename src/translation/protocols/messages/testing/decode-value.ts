import { acceptedOrError } from '../../../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../../../base/json/parse-body.ts';
import type { CanonicalRequest } from '../../../canonical/request.ts';
import { createMessagesDialectCodec } from '../messages-dialect-codec.ts';

const codec = createMessagesDialectCodec();

/** Decodes a body, given as text or as a value. */
export function decodeValue(body: string | object): CanonicalRequest | Refusal {
  const parsed = parseBodyAtOnce(typeof body === 'string' ? body : JSON.stringify(body));
  return parsed instanceof Refusal ? parsed : codec.decodeRequest(parsed);
}

export const decodedValue = (body: string | object): CanonicalRequest => acceptedOrError(decodeValue(body));
