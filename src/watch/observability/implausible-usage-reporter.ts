import type { UnbilledExcess } from '../alerts/unbilled-excess.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Logger } from './logger.ts';

/** Notifies the operator with a log line, a metric and an alert. */
export const implausibleUsageReporter =
  (logger: Logger, metrics: GatewayMetrics, raise: (usage: UnbilledExcess) => void) =>
  (usage: UnbilledExcess): void => {
    const { requestId, provider, model, reported, billed } = usage;
    metrics.countImplausibleUsage(provider, model);
    logger.warn('usage-implausible', { request_id: requestId, provider, model, reported, billed });
    raise(usage);
  };
