import { expect, test } from 'bun:test';
import { parseDecimal } from './parse-decimal.ts';

test('a comma before decimals is read, and a text with two readings is not', () => {
  const texts = ['12.50', '12,50', ' 0,125 ', '-3', '.5', '5,', '1e-7', '1000,5'];
  expect(texts.map(parseDecimal)).toEqual([12.5, 12.5, 0.125, -3, 0.5, 5, 1e-7, 1000.5]);
  const refused = ['1,000', '1,234.56', '1.234,56', '1 000', '12,5,0', '-', '', 'ten', '1e400'];
  expect(refused.map(parseDecimal)).toEqual(refused.map(() => undefined));
});
