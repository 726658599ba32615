import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientTypes } from '../../src/translation/protocols/testing/client-types.ts';
import type { VendorTypes } from '../../src/translation/protocols/testing/vendor-types.ts';

const { openai, openaiBeta, anthropic, anthropicBeta, anthropicModels, google } = clientTypes;

/** The types of requests, answers and stream events in each protocol. */
export const surfaces: Readonly<Record<string, readonly (readonly [VendorTypes, readonly string[]])[]>> = {
  'chat completions': [[openai, ['ChatCompletionCreateParamsBase', 'ChatCompletion', 'ChatCompletionChunk']]],
  completions: [[openai, ['CompletionCreateParamsBase', 'Completion']]],
  embeddings: [[openai, ['EmbeddingCreateParams', 'CreateEmbeddingResponse']]],
  responses: [
    [openai, ['ResponseCreateParamsBase', 'Response', 'ResponseStreamEvent']],
    [openaiBeta, ['ResponseCreateParamsBase', 'BetaResponse', 'BetaResponseStreamEvent']],
  ],
  messages: [
    [
      anthropic,
      [
        'MessageCreateParamsBase',
        'Message',
        'RawMessageStreamEvent',
        'MessageCountTokensParams',
        'MessageTokensCount',
      ],
    ],
    [
      anthropicBeta,
      [
        ...[
          'MessageCreateParamsBase',
          'BetaMessage',
          'BetaRawMessageStreamEvent',
          'MessageCountTokensParams',
        ],
        'BetaMessageTokensCount',
      ],
    ],
    [anthropicModels, ['ModelInfo']],
  ],
  google: [[google, ['GenerateContentParameters', 'GenerateContentResponse']]],
};

/** The values of these members are names of models, which the catalog has. */
const WITHOUT: ReadonlySet<string> = new Set(['model']);

/** The members of each type, each with its values. A beta's type has the name of the type without `Beta`. */
export type Words = Map<string, Map<string, Set<string>>>;

/** Returns the value of a key, and adds an empty one if the key is new. */
const valueAt = <K, V>(map: Map<K, V>, key: K, empty: () => V): V => {
  const value = map.get(key) ?? empty();
  map.set(key, value);
  return value;
};

/** The name of a type's own values in its line. */
export const OWN = '=';

/** Returns the words of the types that the vendor's SDK publishes for a surface. */
export function publishedWords(surface: string): Words {
  const words: Words = new Map();
  for (const [types, roots] of surfaces[surface] ?? [])
    for (const { holder, members, values } of types.from(roots, WITHOUT)) {
      const name = holder.replaceAll(/\bBeta(?=[A-Z])/g, '');
      if (members.length > 0)
        for (const member of members)
          valueAt(
            valueAt(words, name, () => new Map()),
            member,
            () => new Set(),
          );
      if (values.length === 0) continue;
      const at = name.lastIndexOf('.');
      const owner = at > 0 ? words.get(name.slice(0, at)) : undefined;
      const isMember = owner?.has(name.slice(at + 1)) === true;
      const line = isMember ? owner : valueAt(words, name, () => new Map());
      const kept = valueAt(line, isMember ? name.slice(at + 1) : OWN, () => new Set<string>());
      for (const value of values) kept.add(value);
    }
  return words;
}

/**
 * The treatment of a word by the gateway. `read`: its code names it. `passed`: it is ignored on purpose, so
 * it passes on its own protocol and has no meaning in others.
 * `refused`: a request with it needs the consent of a provider's row.
 */
export type Fate = 'read' | 'passed' | 'refused';

/** The signs behind the words of a table. */
const FATES: Readonly<Record<string, Fate>> = { '~': 'passed', '!': 'refused' };

type Row = { word: string; fate: Fate };

const rowOf = (text: string): Row => {
  const fate = FATES[text.at(-1)!];
  return fate === undefined ? { word: text, fate: 'read' } : { word: text.slice(0, -1), fate };
};

const TABLES = new URL('../fixtures/vendor-words/', import.meta.url);

type Member = { fate: Fate; values: ReadonlyMap<string, Fate> };
/** The members of each type, and the treatment of each member and value. */
export type Table = ReadonlyMap<string, ReadonlyMap<string, Member>>;

/**
 * Reads a table. A row is `TYPE: member=value|value member`, with a sign behind each word that is not read.
 */
export function readTable(surface: string): Table {
  const text = readFileSync(new URL(`${surface.replaceAll(' ', '-')}.txt`, TABLES), 'utf8');
  const rows = text.split('\n').filter(Boolean);
  return new Map(
    rows.map((row) => {
      const [type = '', ...members] = row.split(' ');
      return [type.slice(0, -1), new Map(members.map(readMember))];
    }),
  );
}

function readMember(text: string): [name: string, Member] {
  const at = text.indexOf('=', 1);
  const { word, fate } = rowOf(at < 0 ? text : text.slice(0, at));
  const values =
    at < 0
      ? []
      : text
          .slice(at + 1)
          .split('|')
          .map(rowOf);
  return [word, { fate, values: new Map(values.map((one) => [one.word, one.fate])) }];
}

/** Formats a word with its place, as a failed test shows it. */
const placed = (type: string, member: string, value?: string): string =>
  [member === OWN ? type : `${type}.${member}`, ...(value === undefined ? [] : [value])].join('=');

/** Returns the words of published types that a table does not have. */
export const unknownWords = (words: Words, table: Table): string[] =>
  [...words].flatMap(([type, members]) =>
    [...members].flatMap(([member, values]) => {
      const row = table.get(type)?.get(member);
      if (row === undefined) return [placed(type, member)];
      return [...values]
        .filter((value) => !row.values.has(value))
        .map((value) => placed(type, member, value));
    }),
  );

/** Returns the words of a table that the published types no longer have. */
export const staleWords = (words: Words, table: Table): string[] =>
  [...table].flatMap(([type, members]) =>
    [...members].flatMap(([member, { values }]) => {
      const published = words.get(type)?.get(member);
      if (published === undefined) return [placed(type, member)];
      return [...values.keys()]
        .filter((value) => !published.has(value))
        .map((value) => placed(type, member, value));
    }),
  );

/** Returns the words of a table with one of the fates. */
export const wordsWith = (fate: Fate, table: Table): string[] =>
  [...table.values()].flatMap((members) =>
    [...members].flatMap(([member, row]) => [
      ...(row.fate === fate && member !== OWN ? [member] : []),
      ...[...row.values].filter(([, of]) => of === fate).map(([value]) => value),
    ]),
  );

const SOURCES = new URL('../../src/', import.meta.url).pathname;
/** The rooms whose sources read and write the vendors' protocols. */
const ROOMS = ['translation', 'inference', 'api/models', 'upstream/calling'];
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Returns every word in the gateway's own code. */
export function wordsOfSources(): ReadonlySet<string> {
  const words = new Set<string>();
  for (const room of ROOMS)
    for (const file of readdirSync(join(SOURCES, room), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('testing')) continue;
      const text = readFileSync(join(SOURCES, room, file), 'utf8').replaceAll(COMMENTS, '');
      for (const word of text.match(/[A-Za-z_][\w/-]*/g) ?? []) words.add(word);
      for (const [, word] of text.matchAll(/'([\w./-]+)'/g)) words.add(word!);
    }
  return words;
}
