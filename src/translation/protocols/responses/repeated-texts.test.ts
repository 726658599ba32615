import { expect, spyOn, test } from 'bun:test';
import { RepeatedTexts } from './repeated-texts.ts';

const large = `"quoted"\n${'Words. '.repeat(20_000)}\ud800`;

test('writes the JSON of the built-in function, but escapes a repeated large text once', () => {
  const texts = new RepeatedTexts();
  const values = [
    { type: 'done', text: large },
    { type: 'completed', response: { output: [{ text: large }, { text: 'short' }], output_text: large } },
    { text: `${large}x`, other: large, none: null, list: [1, true, undefined] },
  ];
  const expected = values.map((value) => JSON.stringify(value));
  const stringify = spyOn(JSON, 'stringify');
  const made = values.map((value) => texts.stringify(value));
  const escaped = stringify.mock.calls.filter(([value]) => typeof value === 'string').length;
  stringify.mockRestore();
  expect(made.map((json, index) => json === expected[index])).toEqual([true, true, true]);
  expect(escaped).toBe(2);
});
