import { expect, test } from 'bun:test';
import { formatDuration, formatProgress } from './format-progress.ts';

test('grows the bar with the progress until the end fills it', () => {
  expect(formatProgress({ done: 0, size: 1_000 })).toBe(`${'░'.repeat(30)} 0 %`);
  expect(formatProgress({ done: 500, size: 1_000 })).toBe(`${'█'.repeat(15)}${'░'.repeat(15)} 50 %`);
  expect(formatProgress({ done: 999, size: 1_000 })).toBe(`${'█'.repeat(29)}░ 99 %`);
  expect(formatProgress({ done: 3, size: 3 })).toBe(`${'█'.repeat(30)} 100 %`);
});

test('a duration has two units at most', () => {
  const durations = [-5, 400, 59_400, 61_000, 3_599_000, 7_500_000].map(formatDuration);
  expect(durations).toEqual(['0 s', '0 s', '59 s', '1 min 1 s', '59 min 59 s', '2 h 5 min']);
});
