import { expect, test } from 'bun:test';
import { csvCell } from './csv-cell.ts';

test('a text that begins like a formula is disarmed, even after spaces, and a number is not', () => {
  const formulas = ['=1+1', ' @SUM(A1)', '\u00a0-2', '\tx'];
  expect(formulas.map(csvCell)).toEqual(formulas.map((formula) => `'${formula}`));
  expect(['a=b', 'say "hi"', -2].map(csvCell)).toEqual(['a=b', '"say ""hi"""', '-2']);
});
