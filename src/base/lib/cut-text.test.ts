import { expect, test } from 'bun:test';
import { cutText } from './cut-text.ts';

const cases: [text: string, most: number, cut: string][] = [
  ['', 3, ''],
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab😀', 4, 'ab😀'],
  ['ab😀', 3, 'ab'],
  ['ab😀c', 4, 'ab😀'],
];

test.each(cases)('cuts %p to %d units: %p', (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});
