import type { RequestTrace } from '../../base/tracing/request-trace.ts';
import type { Exchange } from '../../edge/http/exchange.ts';

/**
 * The values of a request that are kept until its spans are encoded. The exchange itself would keep the
 * request's body.
 */
export type FinishedRequest = Pick<
  Exchange,
  'requestId' | 'method' | 'path' | 'route' | 'notes' | 'startedAtMs' | 'detached'
> & {
  trace: RequestTrace;
  endedAtMs: number;
};
