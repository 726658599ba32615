import { expect, test } from 'bun:test';
import { mainUnits } from './main-units.ts';

test('an amount is divided by the decimals of its currency', () => {
  expect(mainUnits(1_999, 'usd')).toBe(19.99);
  expect(mainUnits(500, 'jpy')).toBe(500);
  expect(mainUnits(5_120, 'kwd')).toBe(5.12);
  expect(mainUnits(500, 'ugx')).toBe(5);
  expect(mainUnits(500, 'isk')).toBe(5);
});
