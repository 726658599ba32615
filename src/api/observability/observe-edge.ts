import { Unavailable } from '../../base/errors/unavailable.ts';
import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Logger } from './logger.ts';
import { requestLine } from './request-line.ts';

/** Paths that are polled every few seconds. Their requests are not logged. */
const quiet = new Set(['/healthz', '/readyz', '/metrics']);

/** Turns the reports of the edge into one log line for each request and into metrics. */
export function observeEdge(logger: Logger, metrics: GatewayMetrics): EdgeObserver {
  return {
    opened: () => metrics.opened(),
    answered(exchange, status) {
      const firstByteMs = performance.now() - exchange.startedAtMs;
      exchange.notes.status = status;
      exchange.notes.firstByteMs = firstByteMs;
      metrics.answered(exchange);
    },
    finished(exchange) {
      const durationMs = performance.now() - exchange.startedAtMs;
      metrics.finished(exchange, durationMs);
      if (logger.logs('info') && !quiet.has(exchange.path))
        logger.line('info', 'request', requestLine(exchange, durationMs));
    },
    failed(exchange, error) {
      const at = { request_id: exchange.requestId, route: exchange.route };
      if (error instanceof Unavailable) {
        logger.error('unavailable', { ...at, problem: error.sentence });
        return;
      }
      const stack = error instanceof Error ? error.stack : undefined;
      logger.error('unexpected-failure', { ...at, error, stack });
    },
  };
}
