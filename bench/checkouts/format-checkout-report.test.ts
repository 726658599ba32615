import { expect, test } from 'bun:test';
import type { CheckoutMeasurement, CheckoutName } from './checkout-measurement.ts';
import { formatCheckoutReport } from './format-checkout-report.ts';

const measured = (checkout: CheckoutName, round: number, cpuUsPerRequest: number): CheckoutMeasurement => ({
  checkout,
  scenario: 'unary',
  system: 'tollgate',
  round,
  requests: 1_000,
  failures: 0,
  badStatuses: checkout === 'this' ? 1 : 0,
  requestsPerSecond: 1_000,
  p50Us: 400,
  p99Us: 800,
  cpuUsPerRequest,
  residentMb: 150,
});

test('a report of two checkouts compares measurements of the same round', () => {
  const report = formatCheckoutReport([
    measured('this', 1, 110),
    measured('other', 1, 100),
    measured('other', 2, 200),
    measured('this', 2, 180),
  ]);
  expect(report.split('\n').at(-1)).toBe(
    '| unary | 145 (110 to 180) | 150 (100 to 200) | 1.000 (0.900 to 1.100) ' +
      '| 1.000 (1.000 to 1.000) | 1.000 (1.000 to 1.000) | 2 |',
  );
});
