import { Refusal } from '../../base/errors/refusal.ts';
import type { KeyHeaderChoice } from '../../translation/contract/key-header.ts';
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

type RequestHead = { request: Pick<Request, 'headers'> } & Pick<Exchange, 'query'>;

/** The places of a key. Each reads what the client sent there, or undefined. */
const places = {
  authorization: ({ request }: RequestHead) => readBearer(request.headers),
  'x-api-key': ({ request }: RequestHead) => request.headers.get('x-api-key') || undefined,
  'x-goog-api-key': ({ request }: RequestHead) => request.headers.get('x-goog-api-key') || undefined,
  /** The query is read only if it can hold a key. Its value leaves this file only as the credential. */
  query: ({ query }: RequestHead) =>
    (query.includes('key=') && new URLSearchParams(query).get('key')) || undefined,
} as const;
type Place = keyof typeof places;

const OF_ANTHROPIC_AND_OPENAI: readonly Place[] = ['authorization', 'x-api-key'];
const OF_GOOGLE: readonly Place[] = ['x-goog-api-key', 'query'];

/** The accepted places in groups. Keys of one group must be equal, and the first group with a key counts. */
const placesOf: Readonly<Record<KeyHeaderChoice, readonly (readonly Place[])[]>> = {
  either: [OF_ANTHROPIC_AND_OPENAI],
  'x-api-key': [['x-api-key']],
  bearer: [['authorization']],
  google: [OF_GOOGLE],
  any: [OF_GOOGLE, OF_ANTHROPIC_AND_OPENAI],
};

/** The headers in which a key is reported as misplaced. */
const wrongHeaders: Readonly<Record<KeyHeaderChoice, readonly string[]>> = {
  either: [],
  'x-api-key': ['authorization'],
  bearer: ['x-api-key'],
  google: ['authorization', 'x-api-key'],
  any: [],
};

/**
 * Returns the key as sent. Other headers are read only to distinguish a misplaced key from a missing one.
 * `inAny`: the operator accepts a key in the header of any vendor.
 */
export function readCredential(
  request: RequestHead,
  accepted: KeyHeaderChoice,
  inAny = false,
): string | Refusal {
  const choice = inAny ? widened[accepted] : accepted;
  for (const group of placesOf[choice]) {
    let key: string | undefined;
    for (const place of group) {
      const found = places[place](request);
      if (found === undefined) continue;
      if (key !== undefined && key !== found) return different();
      key = found;
    }
    if (key !== undefined) return key;
  }
  const { headers } = request.request;
  return wrongHeaders[choice].some((name) => headers.get(name))
    ? inWrongHeader(choice)
    : new Refusal('missing_api_key', { message: missing[choice] });
}

/** Google's header and query are read only at endpoints for Google's clients. */
const widened: Readonly<Record<KeyHeaderChoice, KeyHeaderChoice>> = {
  either: 'either',
  'x-api-key': 'either',
  bearer: 'either',
  google: 'any',
  any: 'any',
};

const different = (): Refusal =>
  new Refusal('invalid_api_key', { message: 'The two key headers contain different keys.' });

const EITHER = 'Send your API key in the x-api-key header or as Authorization: Bearer.';

const missing: Readonly<Record<KeyHeaderChoice, string>> = {
  either: EITHER,
  'x-api-key': 'Send your API key in the x-api-key header.',
  bearer: 'Send your API key as Authorization: Bearer.',
  google: 'Send your API key in the x-goog-api-key header or as the query parameter key.',
  any: EITHER,
};

const inWrongHeader = (accepted: KeyHeaderChoice): Refusal =>
  new Refusal('invalid_api_key', {
    message: `This endpoint does not accept the key in that header. ${missing[accepted]}`,
  });
