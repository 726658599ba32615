import { describe, expect, test } from 'bun:test';
import { findPassedWindows } from './find-passed-windows.ts';

const FOREVER = Number.POSITIVE_INFINITY;
const call = (sentAt: number, run = 1) => ({ sentAt, arrivedAt: sentAt + 10, run });
const question = { perMinute: 2, silences: [], losses: [] };

describe('findPassedWindows', () => {
  test('finds a span of 60 s with more requests than the limit', () => {
    const calls = [call(0), call(30_000), call(59_000)];
    expect(findPassedWindows({ ...question, calls })).toMatchObject({ most: 3, exempt: 0 });
    expect(findPassedWindows({ ...question, calls }).passed).toHaveLength(1);
  });

  test('counts only requests that were certainly admitted within the span', () => {
    const late = { ...call(59_000), arrivedAt: 61_000 };
    expect(findPassedWindows({ ...question, calls: [call(0), call(30_000), late] }).passed).toEqual([]);
  });

  test('exempts requests whose node was lost before it wrote them back to a restarted Postgres', () => {
    const calls = [call(0), call(30_000, 2), call(59_000, 2)];
    const losses = [{ at: 20_000, restoredAt: 40_000 }];
    const lostAt = (from: number, to = FOREVER) =>
      findPassedWindows({ ...question, calls, losses, silences: [{ run: 1, from, to }] });
    expect(lostAt(10_000)).toMatchObject({ passed: [], exempt: 1 });
    expect(lostAt(35_000)).toMatchObject({ passed: [], exempt: 1 });
    expect(lostAt(50_000).passed).toHaveLength(1);
    expect(lostAt(5_000, 15_000).passed).toHaveLength(1);
  });

  test('exempts a request in no span that ends before the kill of Postgres', () => {
    const calls = [call(0), call(1_000), call(2_000)];
    const losses = [{ at: 200_000, restoredAt: 210_000 }];
    const silences = [{ run: 1, from: 3_000, to: FOREVER }];
    expect(findPassedWindows({ ...question, calls, losses, silences }).passed).toHaveLength(1);
  });
});
