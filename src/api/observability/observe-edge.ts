import { Unavailable } from '../../base/errors/unavailable.ts';
import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Logger } from './logger.ts';
import { requestLine } from './request-line.ts';

/** Paths that are polled every few seconds. Their requests are not logged. */
const quiet = new Set(['/healthz', '/readyz', '/metrics']);

/** Traces exchanges. */
export type ExchangeTracer = {
  begin(exchange: Exchange): void;
  finished(exchange: Exchange, durationMs: number): void;
};

/** Turns the reports of the edge into one log line for each request, into metrics and into traces. */
export function observeEdge(logger: Logger, metrics: GatewayMetrics, tracer?: ExchangeTracer): EdgeObserver {
  return {
    opened(exchange) {
      metrics.opened();
      tracer?.begin(exchange);
    },
    answered(exchange, status) {
      const firstByteMs = performance.now() - exchange.startedAtMs;
      exchange.notes.status = status;
      exchange.notes.firstByteMs = firstByteMs;
      metrics.answered(exchange);
    },
    finished(exchange) {
      const durationMs = performance.now() - exchange.startedAtMs;
      metrics.finished(exchange, durationMs);
      if (exchange.trace) tracer?.finished(exchange, durationMs);
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
