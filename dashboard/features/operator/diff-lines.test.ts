import { expect, test } from 'bun:test';
import { changedParts, diffLines } from './diff-lines.ts';

const marks = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, text }) => ({ same: ' ', added: '+', removed: '-' })[kind] + text);

test('shows removed and added lines at their places', () => {
  expect(marks('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
  expect(marks('a', 'a')).toEqual([' a']);
  expect(marks('', 'a')).toEqual(['-', '+a']);
});

test('replaces a long changed part as a whole', () => {
  const old = Array.from({ length: 2_000 }, (_, n) => `a${n}`);
  const now = Array.from({ length: 2_000 }, (_, n) => `b${n}`);
  expect(marks(old.join('\n'), now.join('\n'))).toHaveLength(4_000);
});

test('leaves out what is far from a change', () => {
  const text = Array.from({ length: 50 }, (_, n) => String(n)).join('\n');
  const parts = changedParts(diffLines(text, text.replace('\n25\n', '\nx\n')));
  expect(parts.map((line) => line.text)).toEqual(['22', '23', '24', '25', 'x', '26', '27', '28']);
});
