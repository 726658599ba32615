import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import type { ClaimedItem } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import type { Collection } from '../stored/collection.ts';

type ItemExchangeParts = {
  item: ClaimedItem;
  batch: RunningBatch;
  collection: Collection;
  snapshot: Snapshot;
  signal: AbortSignal;
  /** Reports a failure that is not a refusal. */
  onFailure(exchange: Exchange, error: unknown): void;
};

/** Creates the exchange of an item, which has no client connection. */
export function openItemExchange({
  item,
  batch,
  collection,
  snapshot,
  signal,
  onFailure,
}: ItemExchangeParts): Exchange {
  const exchange: Exchange = {
    request: new Request('http://batch.invalid/', {
      method: 'POST',
      headers: {
        host: batch.host,
        [snapshot.names.header.paymentMode]: 'subscription',
        ...(batch.protocolVersion && { [VERSION_HEADER]: batch.protocolVersion }),
      },
      signal,
    }),
    method: 'POST',
    path: collection.itemPath,
    query: '',
    requestId: item.requestId,
    style: collection.style,
    detached: 'batch item',
    snapshot,
    startedAtMs: performance.now(),
    peer: () => '',
    route: `${collection.path}/{id}`,
    params: {},
    headers: {},
    notes: new ExchangeNotes(),
    reportFailure: (error) => {
      if (!(error instanceof Refusal)) onFailure(exchange, error);
    },
  };
  return exchange;
}
