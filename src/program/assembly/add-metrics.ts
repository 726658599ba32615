import type { SnapshotHolder } from '../../settings/snapshot/snapshot-holder.ts';
import { ConnectionMetrics } from '../../watch/observability/connection-metrics.ts';
import type { GatewayMetrics } from '../../watch/observability/gateway-metrics.ts';
import { ledgerMetrics } from '../../watch/observability/ledger-metrics.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { Metric } from '../../watch/observability/metric.ts';
import { type ProviderSources, providerMetrics } from '../../watch/observability/provider-metrics.ts';
import { quarantineMetric } from '../../watch/observability/quarantine-metric.ts';
import { uploadMetric } from '../../watch/observability/upload-metric.ts';
import { TelemetryMetrics } from '../../watch/telemetry/telemetry-metrics.ts';
import type { Storage } from './storage.ts';

export type MetricParts = Omit<ProviderSources, 'providers'> & {
  metrics: GatewayMetrics;
  holder: SnapshotHolder;
  storage: Pick<Storage, 'ledger' | 'metrics'>;
  bounds: { metrics: readonly Metric[] };
  requests: { metrics: readonly Metric[] };
  alerts: { metrics: readonly Metric[] };
  uploads: { readonly usedBytes: number };
  nodeWatch: { metrics: readonly Metric[] };
  logger: Logger;
};

/** Adds the metrics that do not come from requests. */
export function addMetrics(parts: MetricParts): {
  connectionMetrics: ConnectionMetrics;
  telemetryMetrics: TelemetryMetrics;
} {
  const { metrics, holder, storage, bounds, requests, alerts, logger, activity, capacity, routing } = parts;
  const telemetryMetrics = new TelemetryMetrics();
  const connections = new ConnectionMetrics((event, fields) => logger.warn(event, fields));
  const providers = () => [...holder.current.providers.values()].filter(({ mode }) => mode !== 'not-set-up');
  metrics.add([
    ...providerMetrics({ providers, activity, capacity, routing }),
    ...ledgerMetrics(storage.ledger),
    quarantineMetric(() => storage.ledger.quarantined().length),
    ...storage.metrics,
    ...bounds.metrics,
    uploadMetric(() => parts.uploads.usedBytes),
    ...requests.metrics,
    ...alerts.metrics,
    ...parts.nodeWatch.metrics,
    ...connections.metrics,
    ...telemetryMetrics.all,
  ]);
  return { connectionMetrics: connections, telemetryMetrics };
}
