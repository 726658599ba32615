import { describe, expect, test } from 'bun:test';
import { reservedFields } from '../../src/translation/canonical/reserved-field.ts';
import { OWN, publishedWords, surfaces } from '../support/vendor-words/published-words.ts';
import { readTable, staleWords, unknownWords, wordsWith } from '../support/vendor-words/word-table.ts';
import { wordsOfSources } from '../support/vendor-words/words-of-sources.ts';

// The types of the newest official clients: requests, answers, stream events, and the values of enumerations.

const names = Object.keys(surfaces);
const reserved: ReadonlySet<string> = new Set(reservedFields);

describe.each(names)('each word of %s', (name) => {
  const words = publishedWords(name);
  const table = readTable(name);

  test('has a row, and each row is still a word of the client', () => {
    expect(words.size).toBeGreaterThan(3);
    expect(unknownWords(words, table)).toEqual([]);
    expect(staleWords(words, table)).toEqual([]);
  });

  test('that the table says is refused needs consent', () => {
    expect(wordsWith('refused', table).filter((word) => !reserved.has(word))).toEqual([]);
  });
});

test('the code names each word that it is said to read', () => {
  const known = wordsOfSources();
  const read = new Set(names.flatMap((name) => wordsWith('read', readTable(name))));
  expect(read.size).toBeGreaterThan(500);
  expect([...read].filter((word) => !known.has(word))).toEqual([]);
});

test('a new member, event, value and type is found', () => {
  const table = readTable('responses');
  const words = publishedWords('responses');
  expect(words.get('ServiceTier')?.get(OWN)?.has('ultrafast')).toBe(true);
  expect(words.get('ResponseTextDeltaEvent')?.get('type')).toEqual(new Set(['response.output_text.delta']));
  words.get('ResponseCreateParamsBase')!.set('hologram', new Set());
  words.get('ServiceTier')!.get(OWN)!.add('warp');
  words.get('ResponseTextDeltaEvent')!.get('type')!.add('response.hologram.delta');
  words.set('ResponseHologram', new Map([['light', new Set()]]));
  expect(unknownWords(words, table).toSorted()).toEqual([
    'ResponseCreateParamsBase.hologram',
    'ResponseHologram.light',
    'ResponseTextDeltaEvent.type=response.hologram.delta',
    'ServiceTier=warp',
  ]);
});
