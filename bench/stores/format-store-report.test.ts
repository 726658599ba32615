import { expect, test } from 'bun:test';
import { formatStoreReport, pairStores } from './format-store-report.ts';
import type { StoreMeasurement, StoreName } from './store-measurement.ts';

const measured = (store: StoreName, round: number, fields: Partial<StoreMeasurement>): StoreMeasurement => ({
  store,
  round,
  connections: 32,
  requests: 100,
  failures: 0,
  p50Us: 1_000,
  p99Us: 2_000,
  nodeCpuUs: 100,
  databaseCpuUs: 0,
  logBytes: 0,
  requestsPerCommit: 0,
  ...fields,
});

test('compares the stores within each round and shows the spread of the rounds', () => {
  const all = [
    measured('embedded', 1, { nodeCpuUs: 100 }),
    measured('postgres', 1, { nodeCpuUs: 120, p50Us: 3_000, failures: 2 }),
    measured('postgres', 2, { nodeCpuUs: 300, p50Us: 5_000 }),
    measured('embedded', 2, { nodeCpuUs: 200 }),
    measured('embedded', 3, {}),
  ];
  expect(pairStores(all)).toHaveLength(2);
  const report = formatStoreReport(all);
  expect(report).toContain('1.35 (1.20 to 1.50)');
  expect(report).toContain('3.00 (2.00 to 4.00)');
  expect(report).toContain('failures: 2');
});
