import { expect, test } from 'bun:test';
import { chooseSpan } from './choose-span.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 28, 12, 34, 56);
const spanOf = (ms: number) => chooseSpan({ from: now - ms, to: now, now });

test('a span without an interval has at most 120 intervals of the finest kept sums', () => {
  const chosen = [DAY / 96, DAY / 24, DAY / 4, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 399 * DAY].map((ms) => {
    const span = spanOf(ms);
    if ('message' in span) throw new Error(span.message);
    expect((span.to - span.from) / span.intervalMs).toBeLessThanOrEqual(120);
    expect(span.from).toBeLessThanOrEqual(now - ms);
    expect(span.to).toBeGreaterThanOrEqual(now);
    return [span.interval, span.step];
  });
  expect(chosen).toEqual([
    ['1m', 'minute'],
    ['1m', 'minute'],
    ['5m', 'minute'],
    ['1h', 'hour'],
    ['2h', 'hour'],
    ['12h', 'hour'],
    ['1d', 'day'],
    ['4d', 'day'],
  ]);
});

test('a finer interval than is kept is refused', () => {
  expect(chooseSpan({ from: now - 3 * DAY, to: now, interval: '5m', now })).toMatchObject({
    param: 'interval',
  });
  expect(chooseSpan({ from: now - 2 * DAY, to: now, interval: '5m', now })).toMatchObject({ interval: '5m' });
  expect(chooseSpan({ from: now - 36 * DAY, to: now, interval: '1h', now })).toMatchObject({
    param: 'interval',
  });
  expect(chooseSpan({ from: now - 400 * DAY, to: now, interval: '1d', now })).toMatchObject({
    interval: '1d',
  });
});

test('a span begins at most 400 whole days before the present day', () => {
  const firstDay = Date.UTC(2025, 9, 24);
  expect(chooseSpan({ from: firstDay, to: now, now })).toMatchObject({ interval: '4d' });
  expect(chooseSpan({ from: firstDay - 1, to: now, now })).toEqual({
    param: 'from',
    message: 'from must be within the last 400 days.',
  });
});

test('a refusal of an interval names the time for which its sums are kept', () => {
  const messages = (['5m', '1h'] as const).map((interval) =>
    chooseSpan({ from: now - 37 * DAY, to: now, interval, now }),
  );
  const advice = 'Choose a longer interval or a later from.';
  expect(messages).toEqual([
    { param: 'interval', message: `Sums of minutes are kept for 2 days. ${advice}` },
    { param: 'interval', message: `Sums of hours are kept for 35 days. ${advice}` },
  ]);
});

test('a span that ends too far ahead is refused, since each of its intervals is a part of the answer', () => {
  const problem = { param: 'to', message: 'to is too far ahead.' } as const;
  const year9999 = Date.parse('9999-12-31T00:00:00Z');
  for (const isBroad of [false, true])
    expect(chooseSpan({ from: now - DAY, to: year9999, isBroad, now })).toEqual(problem);
  expect(chooseSpan({ from: now - DAY, to: now + 365 * DAY, now })).toMatchObject({ interval: '4d' });
});
