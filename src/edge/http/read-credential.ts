import { Refusal } from '../../base/errors/refusal.ts';
import type { KeyHeaderChoice } from '../../translation/contract/key-header.ts';
import type { Exchange } from './exchange.ts';

const BEARER = /^bearer +(\S+)$/i;

/**
 * Returns the bearer token. An empty header counts as absent; a header without a bearer token counts as an
 * invalid key.
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

const ANTHROPIC_AND_OPENAI_PLACES: readonly Place[] = ['authorization', 'x-api-key'];
const GOOGLE_PLACES: readonly Place[] = ['x-goog-api-key', 'query'];

type Choice = {
  /** Groups of accepted places. Keys of a group must be equal. The first group with a key counts. */
  places: readonly (readonly Place[])[];
  /** The headers in which a key is reported as misplaced. */
  wrong: readonly Place[];
  /** The choice if every vendor's header is accepted. Only Google's clients have Google's places. */
  widened: KeyHeaderChoice;
  /** The message if there is no key. */
  missing: string;
};

const choices: Readonly<Record<KeyHeaderChoice, Choice>> = {
  either: {
    places: [ANTHROPIC_AND_OPENAI_PLACES],
    wrong: [],
    widened: 'either',
    missing: 'Send your API key in the x-api-key header or as Authorization: Bearer.',
  },
  'x-api-key': {
    places: [['x-api-key']],
    wrong: ['authorization'],
    widened: 'either',
    missing: 'Send your API key in the x-api-key header.',
  },
  bearer: {
    places: [['authorization']],
    wrong: ['x-api-key'],
    widened: 'either',
    missing: 'Send your API key as Authorization: Bearer.',
  },
  google: {
    places: [GOOGLE_PLACES],
    wrong: ['authorization', 'x-api-key'],
    widened: 'any',
    missing: 'Send your API key in the x-goog-api-key header or as the query parameter key.',
  },
  any: {
    places: [GOOGLE_PLACES, ANTHROPIC_AND_OPENAI_PLACES],
    wrong: [],
    widened: 'any',
    missing:
      'Send your API key in the x-goog-api-key header, as the query parameter key, in the x-api-key header or as Authorization: Bearer.',
  },
};

export type CredentialOptions = {
  /** The header that the endpoint accepts. */
  accepted: KeyHeaderChoice;
  /** The operator accepts a key in the header of any vendor. */
  inAnyHeader?: boolean;
};

/** Returns the key as sent. Other headers are read only to distinguish a misplaced key from a missing one. */
export function readCredential(
  request: RequestHead,
  { accepted, inAnyHeader = false }: CredentialOptions,
): string | Refusal {
  const choice = choices[inAnyHeader ? choices[accepted].widened : accepted];
  for (const group of choice.places) {
    let first: { place: Place; key: string } | undefined;
    for (const place of group) {
      const key = places[place](request);
      if (key === undefined) continue;
      if (first !== undefined && first.key !== key) return refuseConflict(first.place, place);
      first ??= { place, key };
    }
    if (first !== undefined) return first.key;
  }
  const { headers } = request.request;
  return choice.wrong.some((name) => headers.get(name))
    ? refuseMisplaced(choice)
    : new Refusal('missing_api_key', { message: choice.missing });
}

/** The names of the places in messages. */
const placeNames: Readonly<Record<Place, string>> = {
  authorization: 'the Authorization header',
  'x-api-key': 'the x-api-key header',
  'x-goog-api-key': 'the x-goog-api-key header',
  query: 'the query parameter key',
};

const refuseConflict = (one: Place, other: Place): Refusal =>
  new Refusal('invalid_api_key', {
    message: `There are different keys in ${placeNames[one]} and in ${placeNames[other]}.`,
  });

const refuseMisplaced = ({ missing }: Choice): Refusal =>
  new Refusal('invalid_api_key', {
    message: `This endpoint does not accept the key in that header. ${missing}`,
  });
