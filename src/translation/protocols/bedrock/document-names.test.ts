import { expect, test } from 'bun:test';
import { DocumentNames } from './document-names.ts';

test('names that are in use get a number, without two spaces in a row', () => {
  const names = new DocumentNames();
  expect([names.nameFor('a.b'), names.nameFor('a b'), names.nameFor(undefined)]).toEqual([
    'a b',
    'a b (2)',
    'document',
  ]);
  const long = `${'x'.repeat(191)} ${'y'.repeat(20)}`;
  names.nameFor(long);
  expect(names.nameFor(long)).toBe(`${'x'.repeat(191)} (2)`);
});

test('names twenty thousand documents of one title in a moment', () => {
  const names = new DocumentNames();
  const start = performance.now();
  const given = new Set(Array.from({ length: 20_000 }, () => names.nameFor('report')));
  expect(given.size).toBe(20_000);
  expect(performance.now() - start).toBeLessThan(2_000);
});
