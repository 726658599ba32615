import { Refusal } from '../../base/errors/refusal.ts';
import type { KeyHeaderChoice } from '../../translation/contract/key-header.ts';

const BEARER = /^bearer +(\S+)$/i;

/** Returns the bearer token. An empty header counts as absent; a header without a bearer token counts as an invalid key. */
function readBearer(headers: Headers): string | undefined {
  const value = headers.get('authorization');
  if (!value) return undefined;
  if (value.startsWith('Bearer ') && !value.includes(' ', 7)) return value.slice(7);
  return BEARER.exec(value)?.[1] ?? '';
}

/**
 * Returns the key as sent. If an endpoint takes only one of the two headers, the other one is read only to distinguish a misplaced key
 * from a missing one.
 */
export function readCredential(headers: Headers, accepted: KeyHeaderChoice): string | Refusal {
  const bearer = accepted === 'x-api-key' ? undefined : readBearer(headers);
  const direct = accepted === 'bearer' ? undefined : headers.get('x-api-key') || undefined;
  if (bearer !== undefined && direct !== undefined && bearer !== direct) {
    return new Refusal('invalid_api_key', { message: 'The two key headers contain different keys.' });
  }
  const credential = bearer ?? direct;
  if (credential !== undefined) return credential;
  return wrongHeader(headers, accepted) ?? new Refusal('missing_api_key', { message: missing[accepted] });
}

const missing: Record<KeyHeaderChoice, string> = {
  either: 'Send your API key in the x-api-key header or as Authorization: Bearer.',
  'x-api-key': 'Send your API key in the x-api-key header.',
  bearer: 'Send your API key as Authorization: Bearer.',
};

function wrongHeader(headers: Headers, accepted: KeyHeaderChoice): Refusal | undefined {
  const elsewhere =
    (accepted === 'bearer' && headers.get('x-api-key')) ||
    (accepted === 'x-api-key' && headers.get('authorization'));
  return elsewhere
    ? new Refusal('invalid_api_key', {
        message: `This endpoint does not accept the key in that header. ${missing[accepted]}`,
      })
    : undefined;
}
