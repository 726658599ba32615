import { expect, test } from 'bun:test';
import * as format from './format.ts';
import { formatDuration } from './format-duration.ts';
import * as formatTime from './format-time.ts';

test('amounts keep the digits that make them more than nothing', () => {
  expect([0, 0.5, 12.3456, 0.000_123, -3].map(format.formatUsd)).toEqual([
    '$0.00',
    '$0.50',
    '$12.35',
    '$0.00012',
    '-$3.00',
  ]);
  expect([0, 0.004_2, 12.5, 1_234.56].map(format.formatCredits)).toEqual(['0', '0.0042', '12.5', '1,235']);
  expect(format.formatCredits(null)).toBe('–');
});

test('prices and receipts show every digit', () => {
  expect([0, 0.0375, 1.875, 0.003_75, 0.000_000_002, 1_200].map(format.formatPrice)).toEqual([
    '$0.00',
    '$0.0375',
    '$1.875',
    '$0.00375',
    '$0.000000002',
    '$1,200.00',
  ]);
});

test('hours and days of usage are those of UTC in every time zone', () => {
  const midnight = '2026-11-16T00:00:00.000Z';
  expect(formatTime.formatStep(midnight, 'day')).toBe('Nov 16, 2026');
  expect(formatTime.formatStep('2026-11-16T05:00:00.000Z', 'hour')).toBe('Nov 16, 05:00');
  expect([formatTime.formatTick(midnight, 'day'), formatTime.formatTick(midnight, 'hour')]).toEqual([
    'Nov 16',
    'Nov 16',
  ]);
  expect(formatTime.formatTick('2026-11-16T05:00:00.000Z', 'hour')).toBe('05:00');
  const firstMinutes = ['2026-11-16T00:00:00.000Z', '2026-11-16T00:15:00.000Z'];
  expect(firstMinutes.map((time) => formatTime.formatTick(time, 'minute'))).toEqual(['Nov 16', '00:15']);
});

test('durations, sizes and counts have units that people read', () => {
  expect([0, 850, 1_240, 200_000, 7_500_000, 273_600_000].map(formatDuration)).toEqual([
    '0 ms',
    '850 ms',
    '1.24 s',
    '3 min 20 s',
    '2 h 5 min',
    '3 d 4 h',
  ]);
  expect([0, 999, 1_500, 20_000_000].map(format.formatBytes)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.5 kB',
    '20 MB',
  ]);
  expect([0, 1, 1_234].map((count) => format.formatCount(count, 'request'))).toEqual([
    '0 requests',
    '1 request',
    '1,234 requests',
  ]);
  expect([9_999, 1_234_567].map(format.formatTokens)).toEqual(['9,999', '1.2M']);
  expect(format.formatPercent(0.1234)).toBe('12.3%');
});

test('a value is rounded before its unit is chosen', () => {
  expect([999.4, 999.7, 59_994, 59_999, 3_599_700].map(formatDuration)).toEqual([
    '999 ms',
    '1 s',
    '59.99 s',
    '1 min',
    '1 h',
  ]);
  expect([999_940, 999_960, 999_960_000, 2e15].map(format.formatBytes)).toEqual([
    '999.9 kB',
    '1 MB',
    '1 GB',
    '2,000 TB',
  ]);
  const at = (seconds: number) => formatTime.formatRelative(new Date(seconds * 1_000).toISOString(), 0);
  expect([-59.4, -59.7, -3_580, -23.8 * 3_600, -29.6 * 86_400].map(at)).toEqual([
    '59 seconds ago',
    '1 minute ago',
    '1 hour ago',
    'yesterday',
    'last month',
  ]);
});

test('times are relative to now, and say the year only if it is another one', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const at = (ms: number) => formatTime.formatRelative(new Date(now + ms).toISOString(), now);
  expect([-3_000, -60_000, -3 * 3_600_000, -86_400_000, 5 * 86_400_000].map(at)).toEqual([
    'just now',
    '1 minute ago',
    '3 hours ago',
    'yesterday',
    'in 5 days',
  ]);
  expect(formatTime.formatRelative(null)).toBe('–');
  expect(formatTime.formatDateTime('2001-05-06T12:00:00Z')).toContain('2001');
  expect(formatTime.formatDateTime(new Date().toISOString())).not.toContain(String(new Date().getFullYear()));
});
