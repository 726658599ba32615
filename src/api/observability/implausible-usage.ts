import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Logger } from './logger.ts';

type Tokens = { input: number; output: number };

/** What an upstream told of a request, and what is billed in its place. */
type ImplausibleUsage = { requestId: string; provider: string; model: string; told: Tokens; billed: Tokens };

/** Alerts the operator. Clients are told nothing of it. */
export const implausibleUsageTeller =
  (logger: Logger, metrics: GatewayMetrics) =>
  ({ requestId, provider, model, told, billed }: ImplausibleUsage): void => {
    metrics.implausible(provider, model);
    logger.warn('usage-implausible', { request_id: requestId, provider, model, told, billed });
  };
