import type { EdgeObserver } from '../http/edge.ts';
import type { Exchange } from '../http/exchange.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { Logger } from './logger.ts';

/** Addresses that are asked every few seconds: they would drown the rest of the log. */
const quiet = new Set(['/healthz', '/readyz', '/metrics']);

/** What the edge reports, as one log line a request and as metrics. */
export function observeEdge(logger: Logger, metrics: GatewayMetrics): EdgeObserver {
  const statuses = new WeakMap<Exchange, number>();
  return {
    opened: () => metrics.opened(),
    answered(exchange, status) {
      statuses.set(exchange, status);
      exchange.notes.firstByteMs = round(performance.now() - exchange.startedAtMs);
      metrics.answered(exchange, status);
    },
    finished(exchange) {
      metrics.finished(exchange);
      if (!quiet.has(exchange.path)) logger.info('request', lineOf(exchange, statuses.get(exchange)));
    },
    failed(exchange, error) {
      const stack = error instanceof Error ? error.stack : undefined;
      logger.error('unexpected-failure', {
        request_id: exchange.requestId,
        route: exchange.route,
        error,
        stack,
      });
    },
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

function lineOf(
  { requestId, method, path, route, notes, startedAtMs }: Exchange,
  status: number | undefined,
) {
  return {
    request_id: requestId,
    method,
    path: path.slice(0, 200),
    route,
    status,
    code: notes.errorCode,
    account: notes.accountId,
    key_id: notes.keyId,
    model: notes.model?.slice(0, 100),
    served_model: notes.servedModel,
    provider: notes.provider,
    attempts: notes.attempts,
    stream: notes.stream,
    input_tokens: notes.inputTokens,
    output_tokens: notes.outputTokens,
    first_byte_ms: notes.firstByteMs,
    duration_ms: round(performance.now() - startedAtMs),
  };
}
