import { expect, test } from 'bun:test';
import { countCharacters } from './count-characters.ts';

test('counts Unicode characters, with half of a pair as one', () => {
  for (const text of ['', 'abc', 'é', '👋🏽', 'a👋b', '日本語', '\n'])
    expect({ text, charactersCount: countCharacters(text) }).toEqual({
      text,
      charactersCount: [...text].length,
    });
});
