import { escapeForRegExp } from '../../base/lib/escape-for-reg-exp.ts';
import type { Provider, Providers } from '../../settings/hosts/providers.ts';

/** Parts of ids and hosts that name no provider, and that messages about requests use. */
const ordinary: ReadonlySet<string> = new Set(
  [
    'api apis www com net org inc io ai app dev cloud run xyz http https v1 v2 llm gpu cpu tpu node host server service',
    'serving gateway proxy router cluster region inference runtime endpoint endpoints compatible mode prod production staging',
    'test tests main primary secondary second first third other backup fallback default local localhost internal external',
    'hidden private public shared free paid cheap dear fast slow small large mini batch live plain good bad known unknown',
    'united states europe asia east west north south central the and for not new old one two any all own our with from',
    'chat text image images audio video vision voice code embed embedding embeddings completion completions response',
    'responses message messages model models token tokens tool tools function functions input output prompt content role',
    'user system assistant name type field value values parameter request error errors invalid key keys limit limits length',
    'max min context window window size format schema json stream data file files url generate generative language',
    'example corp lan svc invalid',
  ].flatMap((line) => line.split(' ')),
);
const MIN_LETTERS = 3;

/**
 * Matches the words that may follow a name without a space, as in `TogetherException`, `groq-cloud` and
 * `nebius_eu`. A further letter makes another word.
 */
const FOLLOWS = /^(?:[A-Z_\d-]|ai(?![a-z])|api(?![a-z]))/;

/** Matches no text. */
const NOTHING = /(?!)/g;

const scrubbers = new WeakMap<Providers, (text: string) => string>();

/**
 * Returns a function that replaces the names of all configured providers: ids, hosts, and the parts of both.
 */
export function providerScrubber(providers: Providers): (text: string) => string {
  const scrubber = scrubbers.get(providers) ?? newScrubber(providers);
  scrubbers.set(providers, scrubber);
  return scrubber;
}

function newScrubber(providers: Providers): (text: string) => string {
  const configured = [...providers.values()].filter(({ mode }) => mode !== 'not-set-up');
  const hosts = anyOf(configured.flatMap(({ baseUrl }) => hostsOf(baseUrl)));
  const names = anyOf(configured.flatMap(namesOf));
  return (text) => replaceNames(replaceNames(text, hosts, '[address]'), names, 'the provider');
}

/** Replaces names, except those with which another word begins. */
const replaceNames = (text: string, names: RegExp, replacement: string): string =>
  text.replace(names, (match, _name, following: string) =>
    following === '' || FOLLOWS.test(following) ? replacement : match,
  );

/** Matches any of these names, the longest first, with the rest of the word. */
function anyOf(names: readonly string[]): RegExp {
  const long = [...new Set(names)].filter(({ length }) => length >= MIN_LETTERS);
  const sorted = long.sort((one, other) => other.length - one.length).map(escapeForRegExp);
  return sorted.length === 0
    ? NOTHING
    : new RegExp(`(?<![\\p{L}\\p{N}])(${sorted.join('|')})([\\p{L}\\p{N}_-]*)`, 'giu');
}

const hostsOf = (baseUrl: string): string[] => {
  const url = URL.parse(baseUrl);
  return url ? [url.host, url.hostname] : [];
};

const namesOf = (provider: Provider): string[] => [provider.id, ...partsOf(provider)];

function partsOf({ id, baseUrl }: Provider): string[] {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const parts = [...id.split(/[^\p{L}\p{N}]+/u), ...host.split('.'), ...host.split(/[.-]/)];
  return parts.filter((part) => /\p{L}/u.test(part) && !isOrdinary(part));
}

const isOrdinary = (part: string): boolean =>
  part
    .split('-')
    .every((word) => word.length < MIN_LETTERS || ordinary.has(word.replace(/\d+$/, '').toLowerCase()));
