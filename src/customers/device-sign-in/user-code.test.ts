import { expect, test } from 'bun:test';
import { newUserCode, tidyUserCode } from './user-code.ts';

test('codes have eight letters of a set without vowels, each letter as often as the others', () => {
  const counts = new Map<string, number>();
  for (let made = 0; made < 2_000; made++) {
    const code = newUserCode();
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    for (const letter of code.replace('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // The expected count is 800. A deviation of 200 is seven standard deviations.
  expect(counts.size).toBe(20);
  for (const count of counts.values()) expect(Math.abs(count - 800)).toBeLessThan(200);
});

test.each(['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'WDJB—MJHT'])('%p is read as WDJB-MJHT', (typed) => {
  expect(tidyUserCode(typed)).toBe('WDJB-MJHT');
});

test.each(['', '-', 'WDJB-MJH', 'WDJB-MJHTX'])('%p is not a code', (typed) => {
  expect(tidyUserCode(typed)).not.toMatch(/^\w{4}-\w{4}$/);
});
