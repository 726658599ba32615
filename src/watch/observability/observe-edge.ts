import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { clientAddress } from '../../settings/config/client-network.ts';
import { attemptLines, upstreamErrors } from './attempt-lines.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import { logFailure } from './log-failure.ts';
import type { Logger } from './logger.ts';
import type { RequestKeeper } from './request-keeper.ts';
import { levelOf, requestLine } from './request-line.ts';

/** Paths that are polled every few seconds. Their requests are not logged unless they fail. */
const polledPaths = new Set(['/healthz', '/readyz', '/metrics']);

/** Traces exchanges. */
export type ExchangeTracer = {
  begin(exchange: Exchange): void;
  finished(exchange: Exchange, durationMs: number): void;
};

/**
 * Turns the reports of the edge into one log line and one record for each request, into metrics and into
 * traces.
 */
export function observeEdge(
  logger: Logger,
  metrics: GatewayMetrics,
  keeper: RequestKeeper,
  tracer?: ExchangeTracer,
): EdgeObserver {
  return {
    opened(exchange) {
      metrics.opened();
      tracer?.begin(exchange);
    },
    answered(exchange, status) {
      const firstByteMs = performance.now() - exchange.startedAtMs;
      exchange.notes.status = status;
      exchange.notes.firstByteMs = firstByteMs;
      exchange.notes.clientAddress = addressOf(exchange);
      metrics.answered(exchange);
    },
    finished(exchange) {
      const durationMs = performance.now() - exchange.startedAtMs;
      metrics.finished(exchange, durationMs);
      keeper.sawKey(exchange);
      if (exchange.trace) tracer?.finished(exchange, durationMs);
      keeper.count(exchange, durationMs);
      const level = levelOf(exchange);
      const isLogged = logger.logs(level) && (level === 'error' || !polledPaths.has(exchange.path));
      if (!isLogged && !keeper.wants(exchange)) return;
      const line = requestLine(exchange, durationMs);
      if (isLogged) logger.line(level, 'request', line + upstreamErrors(exchange));
      if (logger.logs('debug'))
        for (const attempt of attemptLines(exchange)) logger.line('debug', 'attempt', attempt);
      if (exchange.handedOverTo === undefined) keeper.keep(exchange, durationMs, line);
    },
    onFailure(exchange, error) {
      logFailure(logger, { request_id: exchange.requestId, route: exchange.route }, error);
    },
  };
}

/**
 * Returns the address of the client. It is read before the answer is sent, since the runtime forgets the
 * address with the request.
 */
function addressOf(exchange: Exchange): string {
  const { snapshot, request } = exchange;
  if (!snapshot.config.log.client_address) return '';
  return clientAddress(exchange.peer(), request.headers.get('x-forwarded-for'), snapshot.trustedProxies);
}
