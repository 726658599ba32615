import { expect, test } from 'bun:test';
import { microcreditsOfUsd } from '../../money/ledger/microcredits.ts';
import { dollars } from './alert-words.ts';

test.each([
  [1_999_999, '1999999 USD'],
  [12.5, '12.5 USD'],
  [0.000001, '0.000001 USD'],
  [0.0000001, '0 USD'],
])('an amount of %p is shown as %p', (usd, text) => {
  expect(dollars(microcreditsOfUsd(usd))).toBe(text);
});
