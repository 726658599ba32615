import { expect, test } from 'bun:test';
import { CallWindows } from './call-windows.ts';

test('a call waits until the first accepted one of the last minute leaves its window', () => {
  const windows = new CallWindows();
  for (const at of [0, 10_000, 20_000]) expect(windows.count('a', 3, at)).toBeUndefined();
  expect(windows.count('a', 3, 30_000)).toBe(30_000);
  expect(windows.count('b', 3, 30_000)).toBeUndefined();
  expect(windows.count('a', 3, 59_999)).toBe(1);
  expect(windows.count('a', 3, 60_000)).toBeUndefined();
  expect(windows.count('a', 3, 60_000)).toBe(10_000);
});

test('the number of windows is bounded: those that were used the longest ago are forgotten', () => {
  const windows = new CallWindows();
  windows.count('old', 1, 0);
  windows.count('used', 1, 0);
  for (let index = 0; index < 4_999; index++) {
    windows.count(`name ${index}`, 1, 1);
    expect(windows.count('used', 1, 1)).toBeDefined();
  }
  expect(windows.count('old', 1, 1)).toBeUndefined();
});
