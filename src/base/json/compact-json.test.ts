import { expect, test } from 'bun:test';
import { compactJson } from './compact-json.ts';

test('removes only the whitespace between tokens', () => {
  const text = ' { "a b" : [ 1 , -2.50 , true ] ,\n\t"c" : "\\" \\\\" , "d" : { } } ';
  expect(compactJson(text)).toBe('{"a b":[1,-2.50,true],"c":"\\" \\\\","d":{}}');
});

test('keeps the spaces of a string of several megabytes', () => {
  const value = { text: 'a b '.repeat(1_500_000), list: [1, 2] };
  expect(compactJson(JSON.stringify(value, null, 1)) === JSON.stringify(value)).toBe(true);
});
