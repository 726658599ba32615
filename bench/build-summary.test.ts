import { expect, test } from 'bun:test';
import type { Measurement } from './benchmark-report.ts';
import { buildSummary } from './build-summary.ts';

const haproxyUnary: Measurement = {
  scenario: 'unary',
  system: 'haproxy',
  round: 1,
  requests: 1000,
  failures: 0,
  badStatuses: 0,
  requestsPerSecond: 500,
  p50Us: 100,
  p99Us: 400,
  cpuUsPerRequest: 10,
  residentMb: 15,
};

/** In two rounds of `unary` Tollgate needs 30 and 80 µs of CPU time, and haproxy 10 and 20 µs. */
const measurements: Measurement[] = [
  { ...haproxyUnary, system: 'direct', p50Us: 60, cpuUsPerRequest: null, residentMb: null },
  haproxyUnary,
  { ...haproxyUnary, system: 'tollgate', cpuUsPerRequest: 30, p50Us: 260 },
  { ...haproxyUnary, scenario: 'models', system: 'tollgate', cpuUsPerRequest: 15 },
  { ...haproxyUnary, round: 2, system: 'direct', p50Us: 80, cpuUsPerRequest: null, residentMb: null },
  { ...haproxyUnary, round: 2, cpuUsPerRequest: 20 },
  { ...haproxyUnary, round: 2, system: 'tollgate', cpuUsPerRequest: 80, p50Us: 380, badStatuses: 3 },
];

const summary = buildSummary(measurements);
const findRow = (scenario: string, system: string) =>
  summary.find((row) => row.scenario === scenario && row.system === system);

test('compares each round with haproxy and the direct upstream', () => {
  const row = findRow('unary', 'tollgate');
  expect(row?.cpuRatioToHaproxy).toEqual({ median: 3.5, min: 3, max: 4 });
  expect(row?.addedP50Us).toEqual({ median: 250, min: 200, max: 300 });
  expect(row?.errors).toBe(3);
});

test('compares models with unary rounds of the same system, if both were measured', () => {
  const row = findRow('models', 'tollgate');
  expect(row?.rounds).toBe(1);
  expect(row?.cpuRatioToPlain?.median).toBe(0.5);
  expect(row?.cpuRatioToHaproxy?.median).toBe(1.5);
  expect(row?.addedP50Us).toBeNull();
});

test('reports no CPU and memory for the direct upstream', () => {
  const row = findRow('unary', 'direct');
  expect(row?.cpuUsPerRequest).toBeNull();
  expect(row?.residentMb).toBeNull();
  expect(row?.addedP50Us).toBeNull();
});
