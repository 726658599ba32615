import type { Config } from '../../settings/config/config-schema.ts';
import { relayTargets, telemetrySettings } from '../../settings/config/telemetry-settings.ts';
import type { ConfigOrigin } from '../../settings/snapshot/read-snapshot.ts';
import type { GatewayMetrics } from '../../watch/observability/gateway-metrics.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { Report } from '../../watch/telemetry/otlp-sender.ts';
import { Telemetry } from '../../watch/telemetry/telemetry.ts';
import type { TelemetryMetrics } from '../../watch/telemetry/telemetry-metrics.ts';
import { TelemetryRelay } from '../../watch/telemetry/telemetry-relay.ts';

export type TelemetryGround = {
  config: Config;
  ground: { origin: Pick<ConfigOrigin, 'environment'> };
  logger: Logger;
};

/** Creates the export of traces and metrics. Returns undefined if neither is exported. */
export function createTelemetry(
  { config, ground, logger }: TelemetryGround,
  gateway: GatewayMetrics,
  metrics: TelemetryMetrics,
): Telemetry | undefined {
  const settings = telemetrySettings(config.telemetry, ground.origin.environment);
  if (!settings) return undefined;
  return new Telemetry({
    settings,
    metrics,
    read: () => gateway.read(),
    report: reportTo(logger),
  });
}

/** Creates the relay of clients' telemetry. */
export const createRelay = ({ config, ground, logger }: TelemetryGround, metrics: TelemetryMetrics) =>
  new TelemetryRelay({
    targets: relayTargets(config.telemetry, ground.origin.environment),
    metrics,
    report: reportTo(logger),
  });

/** A failed export is a warning. Its recovery is not. */
const reportTo =
  (logger: Logger): Report =>
  (event, fields) =>
    event === 'telemetry-export-recovered' ? logger.info(event, fields) : logger.warn(event, fields);
