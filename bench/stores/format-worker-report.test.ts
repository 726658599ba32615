import { expect, test } from 'bun:test';
import { formatWorkerReport, workersOf } from './format-worker-report.ts';
import type { StoreMeasurement } from './store-measurement.ts';

const measured = (workers: number, round: number, nodeCpuUs: number): StoreMeasurement => ({
  store: `postgres-${workers}`,
  round,
  connections: 32 * workers,
  requests: 1_000,
  failures: 0,
  p50Us: 1,
  p99Us: 2,
  nodeCpuUs,
  databaseCpuUs: 200,
  logBytes: 900,
  requestsPerCommit: 4,
});

test('compares the CPU time of a request with that of the fewest workers in the same round', () => {
  const report = formatWorkerReport([
    measured(2, 1, 220),
    measured(1, 1, 200),
    measured(1, 2, 300),
    measured(2, 2, 315),
  ]);
  const [, , one, two] = report.split('\n');
  expect(one).toContain('| 1 | 250 (200 to 300) | 1.00 (1.00 to 1.00) |');
  expect(two).toContain('| 2 | 268 (220 to 315) | 1.08 (1.05 to 1.10) | 200 (200 to 200) | 1.00');
});

test('reads the number of workers from the name', () => {
  expect([workersOf('postgres-4'), workersOf('postgres')]).toEqual([4, 1]);
});
