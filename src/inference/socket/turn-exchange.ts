import { orderedId } from '../../base/lib/ids.ts';
import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

export type TurnExchangeParts = {
  /** The exchange that opened the socket, with the client's key and headers. */
  socket: Exchange;
  /** The client's address. */
  address: string;
  snapshot: Snapshot;
  now: number;
  signal: AbortSignal;
  observer: EdgeObserver;
};

/**
 * Creates the exchange of one turn on a WebSocket. It has a request id, a log line and a record of its own,
 * like a request over HTTP.
 */
export function turnExchange({
  socket,
  address,
  snapshot,
  now,
  signal,
  observer,
}: TurnExchangeParts): Exchange {
  const headers = new Headers(socket.request.headers);
  for (const name of SOCKET_HEADERS) headers.delete(name);
  const exchange: Exchange = {
    request: new Request('http://socket.invalid/v1/responses', { method: 'POST', headers, signal }),
    method: 'POST',
    path: '/v1/responses',
    query: '',
    requestId: orderedId('req_', now),
    style: 'openai',
    snapshot,
    startedAtMs: performance.now(),
    peer: () => address,
    ...(socket.accountId !== undefined && { accountId: socket.accountId }),
    route: '/v1/responses',
    params: {},
    headers: {},
    notes: new ExchangeNotes(),
    reportFailure: (error) => observer.onFailure(exchange, error),
  };
  observer.opened(exchange);
  return exchange;
}

/** Headers of the handshake, which describe no turn. */
// biome-ignore format: a line for each group
const SOCKET_HEADERS = [
  'connection', 'upgrade', 'sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions',
  'sec-websocket-protocol', 'content-length', 'transfer-encoding',
];
