import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../base/lib/units.ts';
import { addLatency } from '../../watch/traffic/latency-buckets.ts';
import { noSums } from '../../watch/traffic/traffic-figures.ts';
import type { Traffic } from '../../watch/traffic/traffic-report.ts';
import { memberFiguresOf, operatorFiguresOf } from './figures-of.ts';
import { trafficView } from './traffic-view.ts';

test('figures are in USD, without attempts and costs of providers for members', () => {
  const sums = noSums();
  Object.assign(sums.counts, { requests: 2, attempts: 3, input_tokens: 8, cached_input_tokens: 2 });
  Object.assign(sums.counts, { spend: 100_000_000, revenue: 250_000_000 });
  addLatency(sums.latency, 100);
  const figures = operatorFiguresOf(sums);
  expect(figures).toMatchObject({ attempts: 3, cache_share: 0.25, spend_usd: 0.2, revenue_usd: 0.5 });
  expect(figures.margin_usd).toBeCloseTo(0.3, 12);
  expect(figures.first_token_ms).toEqual({ p50: null, p95: null, p99: null });
  const hidden = ['attempts', 'failed_attempts', 'spend_usd', 'margin_usd'];
  expect(Object.keys(memberFiguresOf(sums)).filter((name) => hidden.includes(name))).toEqual([]);
});

test('the group of all others has a name for members too', () => {
  const groups = [{ group: '*', sums: noSums(), previous: null }];
  const traffic: Traffic = {
    from: 0,
    to: HOUR_MS,
    interval: '1h',
    intervalMs: HOUR_MS,
    step: 'minute',
    totals: noSums(),
    previous: null,
    points: [],
    groups,
  };
  const view = trafficView(traffic, { groupBy: 'key', names: new Map(), figuresOf: memberFiguresOf });
  expect(view.groups).toMatchObject([{ group: '*', group_name: 'all others' }]);
});
