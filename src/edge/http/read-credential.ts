import { Refusal } from '../../base/errors/refusal.ts';
import type { KeyHeader, KeyHeaderChoice } from '../../translation/contract/key-header.ts';
import type { Exchange } from './exchange.ts';

const BEARER = /^bearer +(\S+)$/i;

/**
 * Returns the bearer token. An empty header counts as absent;
 * a header without a bearer token counts as an invalid key.
 */
function readBearer(headers: Headers): string | undefined {
  const value = headers.get('authorization');
  if (!value) return undefined;
  if (value.startsWith('Bearer ') && !value.includes(' ', 7)) return value.slice(7);
  return BEARER.exec(value)?.[1] ?? '';
}

type Asked = { request: Pick<Request, 'headers'> } & Pick<Exchange, 'query'>;

/**
 * Returns the key as sent. If an endpoint takes only one of the two headers, the other one is read only to
 * distinguish a misplaced key from a missing one.
 * `inAny`: the operator accepts a key in the header of any vendor.
 */
export function readCredential(request: Asked, accepted: KeyHeaderChoice, inAny = false): string | Refusal {
  if (accepted === 'google' || accepted === 'any') return readGoogleKey(request, inAny || accepted === 'any');
  const { headers } = request.request;
  const choice = inAny ? 'either' : accepted;
  const bearer = choice === 'x-api-key' ? undefined : readBearer(headers);
  const direct = choice === 'bearer' ? undefined : headers.get('x-api-key') || undefined;
  if (bearer !== undefined && direct !== undefined && bearer !== direct) return different();
  const credential = bearer ?? direct;
  if (credential !== undefined) return credential;
  return wrongHeader(headers, choice) ?? new Refusal('missing_api_key', { message: missing[choice] });
}

const GOOGLE_HEADER = 'x-goog-api-key';

/**
 * The query is read only if it can hold a key. Its value never leaves this function except as the credential.
 */
function readGoogleKey(request: Asked, inAny: boolean): string | Refusal {
  const { headers } = request.request;
  const direct = headers.get(GOOGLE_HEADER) || undefined;
  const query = request.query;
  const named = query.includes('key=') ? new URLSearchParams(query).get('key') || undefined : undefined;
  if (direct !== undefined && named !== undefined && direct !== named) return different();
  const credential = direct ?? named;
  if (credential !== undefined) return credential;
  if (inAny) return readCredential(request, 'either');
  const isElsewhere = headers.get('authorization') || headers.get('x-api-key');
  return isElsewhere ? inWrongHeader('google') : new Refusal('missing_api_key', { message: missing.google });
}

const different = (): Refusal =>
  new Refusal('invalid_api_key', { message: 'The two key headers contain different keys.' });

const missing: Record<KeyHeader, string> = {
  either: 'Send your API key in the x-api-key header or as Authorization: Bearer.',
  'x-api-key': 'Send your API key in the x-api-key header.',
  bearer: 'Send your API key as Authorization: Bearer.',
  google: 'Send your API key in the x-goog-api-key header or as the query parameter key.',
};

function wrongHeader(headers: Headers, accepted: KeyHeader): Refusal | undefined {
  const elsewhere =
    (accepted === 'bearer' && headers.get('x-api-key')) ||
    (accepted === 'x-api-key' && headers.get('authorization'));
  return elsewhere ? inWrongHeader(accepted) : undefined;
}

const inWrongHeader = (accepted: KeyHeader): Refusal =>
  new Refusal('invalid_api_key', {
    message: `This endpoint does not accept the key in that header. ${missing[accepted]}`,
  });
