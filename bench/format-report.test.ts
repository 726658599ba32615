import { expect, test } from 'bun:test';
import type { BenchmarkReport } from './benchmark-report.ts';
import { buildSummary } from './build-summary.ts';
import { formatReport } from './format-report.ts';

const report: BenchmarkReport = {
  startedAt: '2026-01-01T00:00:00.000Z',
  machine: {
    cores: 2,
    processor: 'Test CPU',
    kernel: '6.0',
    bun: '1.4.5',
    node: null,
    wrk: '4.1.0',
    haproxy: null,
    loadAverage: 0.5,
  },
  parameters: {
    scenarios: ['unary'],
    seconds: 3,
    connections: 32,
    rounds: 1,
    warmUpSeconds: 3,
    streamEvents: 101,
    streamIntervalMs: 2,
    requestBytes: 1519,
  },
  summary: buildSummary([
    {
      scenario: 'unary',
      system: 'direct',
      round: 1,
      requests: 300_000,
      failures: 0,
      badStatuses: 0,
      requestsPerSecond: 100_000,
      p50Us: 250,
      p99Us: 900,
      cpuUsPerRequest: null,
      residentMb: null,
    },
  ]),
  skipped: [{ system: 'haproxy', scenario: null, reason: 'not installed (Debian package haproxy)' }],
  measurements: [],
};

test('prints a row for each system and lists systems that were not measured', () => {
  const lines = formatReport(report).split('\n');
  expect(lines.find((line) => line.startsWith('unary'))).toMatch(/direct .*100,000 .*0\.25 .*0\.90 /);
  expect(lines.at(-1)).toBe('not measured: haproxy: not installed (Debian package haproxy)');
});
