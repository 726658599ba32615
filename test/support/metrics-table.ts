import { nodeMetrics } from '../../src/watch/nodes/node-metrics.ts';
import { AlertMetrics } from '../../src/watch/observability/alert-metrics.ts';
import { BatchMetrics } from '../../src/watch/observability/batch-metrics.ts';
import { ConnectionMetrics } from '../../src/watch/observability/connection-metrics.ts';
import { descriptorMetrics } from '../../src/watch/observability/descriptor-metrics.ts';
import { GatewayMetrics, type MetricSources } from '../../src/watch/observability/gateway-metrics.ts';
import { ledgerMetrics } from '../../src/watch/observability/ledger-metrics.ts';
import type { MetricFamily } from '../../src/watch/observability/metric.ts';
import { PoolMetrics } from '../../src/watch/observability/pool-metrics.ts';
import { type ProviderSources, providerMetrics } from '../../src/watch/observability/provider-metrics.ts';
import { quarantineMetric } from '../../src/watch/observability/quarantine-metric.ts';
import { requestRecordMetrics } from '../../src/watch/observability/request-record-metrics.ts';
import { spoolMetric } from '../../src/watch/observability/spool-metric.ts';
import { StorageMetrics } from '../../src/watch/observability/storage-metrics.ts';
import { StoreMetrics } from '../../src/watch/observability/store-metrics.ts';
import { uploadMetric } from '../../src/watch/observability/upload-metric.ts';
import { TelemetryMetrics } from '../../src/watch/telemetry/telemetry-metrics.ts';

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
    ...requestRecordMetrics({ dropped: zero, lostSums: zero, droppedContents: zero }),
    ...new TelemetryMetrics().all,
    ...new AlertMetrics(zero).all,
    ...nodeMetrics(() => ({ nodes: [], configHash: '' })),
    ...new BatchMetrics().all,
  ]);
  return metrics.families;
}

/** Formats the table of docs/operations/metrics.md. */
export function metricsTable(families: readonly MetricFamily[]): string {
  const rows = families.map(({ name, type, labels, help }) => {
    const named = labels.map((label) => `\`${label}\``).join(', ') || '–';
    return `| \`${name}\` | ${type} | ${named} | ${help} |\n`;
  });
  return `| metric | type | labels | meaning |\n| - | - | - | - |\n${rows.join('')}`;
}
