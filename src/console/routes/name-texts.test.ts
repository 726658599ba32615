import { expect, test } from 'bun:test';
import { EMAIL, NAME } from './name-texts.ts';

/** Matches with the flag that schemas use. */
const isOf = ({ pattern }: { pattern: string }, text: string) => new RegExp(pattern, 'u').test(text);

test.each(['Ada', ' Ada ', '\u200fעדה', '❤\ufe0f', '한국', '👩\u200d🔬'])('accepts the name %s', (name) => {
  expect(isOf(NAME, name)).toBe(true);
});

test.each([
  '',
  ' ',
  '\u00a0',
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u1160',
  '\u180b',
  '\u200b',
  '\u2060',
  '\u2063',
  '\u2800',
  '\u3000',
  '\u3164',
  '\ufe0f',
  '\ufeff',
  '\uffa0',
  '\ufffa',
  '\u{e0041}',
  ' \u3164\u2800 ',
])('refuses the blank name %j', (name) => {
  expect(isOf(NAME, name)).toBe(false);
});

test('refuses addresses with invisible characters', () => {
  expect(isOf(EMAIL, 'ada@example.com')).toBe(true);
  expect(isOf(EMAIL, 'ada\u3164@example.com')).toBe(false);
  expect(isOf(EMAIL, 'ada@exam\u00adple.com')).toBe(false);
});
