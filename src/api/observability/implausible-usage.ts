import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Logger } from './logger.ts';

type Tokens = { input: number; output: number };

/** The usage that an upstream reported for a request (`told`), and the usage that is billed instead. */
type ImplausibleUsage = { requestId: string; provider: string; model: string; told: Tokens; billed: Tokens };

/** Alerts the operator with a log line and a metric. */
export const implausibleUsageTeller =
  (logger: Logger, metrics: GatewayMetrics) =>
  ({ requestId, provider, model, told, billed }: ImplausibleUsage): void => {
    metrics.implausible(provider, model);
    logger.warn('usage-implausible', { request_id: requestId, provider, model, told, billed });
  };
