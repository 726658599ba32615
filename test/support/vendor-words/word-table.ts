import { readFileSync } from 'node:fs';
import { OWN, type Words } from './published-words.ts';

/**
 * The treatment of a word by the gateway. `read`: its code names it. `passed`: it is ignored on purpose, so
 * it passes on its own protocol and has no meaning in others. `refused`: a request with it needs the consent
 * of a provider's row.
 */
type Fate = 'read' | 'passed' | 'refused';

/** The signs behind the words of a table. */
const FATES: Readonly<Record<string, Fate>> = { '~': 'passed', '!': 'refused' };

type Row = { word: string; fate: Fate };

const rowOf = (text: string): Row => {
  const fate = FATES[text.at(-1)!];
  return fate === undefined ? { word: text, fate: 'read' } : { word: text.slice(0, -1), fate };
};

const TABLES = new URL('../../fixtures/vendor-words/', import.meta.url);

type Member = { fate: Fate; values: ReadonlyMap<string, Fate> };
/** The members of each type, and the treatment of each member and value. */
type WordTable = ReadonlyMap<string, ReadonlyMap<string, Member>>;

/**
 * Reads a table. A row is `TYPE: member=value|value member`, with a sign behind each word that is not read.
 */
export function readTable(surface: string): WordTable {
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
const formatPlace = (type: string, member: string, value?: string): string =>
  [member === OWN ? type : `${type}.${member}`, ...(value === undefined ? [] : [value])].join('=');

/** Returns the words of published types that a table does not have. */
export const unknownWords = (words: Words, table: WordTable): string[] =>
  [...words].flatMap(([type, members]) =>
    [...members].flatMap(([member, values]) => {
      const row = table.get(type)?.get(member);
      if (row === undefined) return [formatPlace(type, member)];
      return [...values]
        .filter((value) => !row.values.has(value))
        .map((value) => formatPlace(type, member, value));
    }),
  );

/** Returns the words of a table that the published types no longer have. */
export const staleWords = (words: Words, table: WordTable): string[] =>
  [...table].flatMap(([type, members]) =>
    [...members].flatMap(([member, { values }]) => {
      const published = words.get(type)?.get(member);
      if (published === undefined) return [formatPlace(type, member)];
      return [...values.keys()]
        .filter((value) => !published.has(value))
        .map((value) => formatPlace(type, member, value));
    }),
  );

/** Returns the words of a table with one of the fates. */
export const wordsWith = (fate: Fate, table: WordTable): string[] =>
  [...table.values()].flatMap((members) =>
    [...members].flatMap(([member, row]) => [
      ...(row.fate === fate && member !== OWN ? [member] : []),
      ...[...row.values].filter(([, of]) => of === fate).map(([value]) => value),
    ]),
  );
