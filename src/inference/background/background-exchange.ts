import { Refusal } from '../../base/errors/refusal.ts';
import { styleOfPath } from '../../base/errors/style-of-path.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

export type BackgroundExchangeParts = {
  requestId: string;
  /** The path of the endpoint that began it. */
  path: string;
  headers: Record<string, string>;
  snapshot: Snapshot;
  signal: AbortSignal;
  /** The client's address, while the response is begun for it. */
  address: string;
  onFailure(exchange: Exchange, error: unknown): void;
};

/** Creates the exchange of a response that is made in the background, which has no client connection. */
export function backgroundExchange(parts: BackgroundExchangeParts): Exchange {
  const { requestId, path, headers, snapshot, signal, address, onFailure } = parts;
  const exchange: Exchange = {
    request: new Request('http://background.invalid/', { method: 'POST', headers, signal }),
    method: 'POST',
    path,
    query: '',
    requestId,
    style: styleOfPath(path),
    detached: 'background',
    snapshot,
    startedAtMs: performance.now(),
    peer: () => address,
    route: path,
    params: {},
    headers: {},
    notes: new ExchangeNotes(),
    reportFailure: (error) => {
      if (!(error instanceof Refusal)) onFailure(exchange, error);
    },
  };
  return exchange;
}
