import type { Exchange } from '../../edge/http/exchange.ts';

/** Records that the answer has begun, for the log line and the metrics. */
export function noteFirstToken(exchange: Exchange): void {
  exchange.notes.firstTokenMs = performance.now() - exchange.startedAtMs;
}
