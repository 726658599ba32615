import { nodeMetrics } from '../../src/api/nodes/node-metrics.ts';
import { AlertMetrics } from '../../src/api/observability/alert-metrics.ts';
import { BatchMetrics } from '../../src/api/observability/batch-metrics.ts';
import { ConnectionMetrics } from '../../src/api/observability/connection-metrics.ts';
import { descriptorMetrics } from '../../src/api/observability/descriptor-metrics.ts';
import { GatewayMetrics, type MetricSources } from '../../src/api/observability/gateway-metrics.ts';
import { ledgerMetrics } from '../../src/api/observability/ledger-metrics.ts';
import type { MetricFamily } from '../../src/api/observability/metrics.ts';
import { PoolMetrics } from '../../src/api/observability/pool-metrics.ts';
import { type ProviderSources, providerMetrics } from '../../src/api/observability/provider-metrics.ts';
import { quarantineMetric } from '../../src/api/observability/quarantine-metric.ts';
import { requestRecordMetrics } from '../../src/api/observability/request-record-metrics.ts';
import { spoolMetric } from '../../src/api/observability/spool-metric.ts';
import { StorageMetrics } from '../../src/api/observability/storage-metrics.ts';
import { StoreMetrics } from '../../src/api/observability/store-metrics.ts';
import { uploadMetric } from '../../src/api/observability/upload-metric.ts';
import { TelemetryMetrics } from '../../src/api/telemetry/telemetry-metrics.ts';

const zero = () => 0;

/** The descriptions of all metrics. Their values are not read. */
export function documentedFamilies(): MetricFamily[] {
  const metrics = new GatewayMetrics({} as MetricSources);
  metrics.add([
    ...providerMetrics({} as ProviderSources),
    ...ledgerMetrics({ shortfalls: {} as never }),
    quarantineMetric(zero),
    ...descriptorMetrics({ descriptors: { limit: 0, inUse: zero }, resources: { counts: {} } }),
    ...new StoreMetrics({
      size: () => ({ database: 0, log: 0 }),
      waitingWrites: zero,
      failures: zero,
    }).all,
    spoolMetric(zero),
    uploadMetric(zero),
    ...new PoolMetrics(() => ({ open: 0, idle: 0, waiting: 0 })).all,
    ...new StorageMetrics({ isLow: false, free: undefined }).all,
    ...new ConnectionMetrics(() => {}).metrics,
    ...requestRecordMetrics(zero, zero, zero),
    ...new TelemetryMetrics().all,
    ...new AlertMetrics(zero).all,
    ...nodeMetrics(() => ({ nodes: [], configHash: '' })),
    ...new BatchMetrics({ running: zero, atWork: zero, spent: () => {} }).all,
  ]);
  return metrics.families;
}

/** Formats the table of docs/operations.md. */
export function metricsTable(families: readonly MetricFamily[]): string {
  const rows = families.map(({ name, type, labels, help }) => {
    const named = labels.map((label) => `\`${label}\``).join(', ') || '–';
    return `| \`${name}\` | ${type} | ${named} | ${help} |\n`;
  });
  return `| metric | type | labels | meaning |\n| - | - | - | - |\n${rows.join('')}`;
}
