import type { Authenticator } from './auth/authenticate.ts';
import type { ClaimedItem, CollectionId } from './batches/batch.ts';
import type { ItemRun } from './batches/batch-runner.ts';
import type { RunningBatch } from './batches/batch-store.ts';
import { type Collection, collections } from './batches/collection.ts';
import { succeededLine } from './batches/result-line.ts';
import { Refusal } from './errors/refusal.ts';
import { refusalOfError } from './errors/refusal-of-error.ts';
import { answerInference, type Gateway, type Unattended } from './gateway.ts';
import type { Exchange } from './http/exchange.ts';
import { parseJsonObject } from './http/json-body.ts';
import type { Dialect } from './protocols/dialect.ts';
import type { Snapshot } from './snapshot.ts';

export type ItemRunnerParts = {
  gateway: Gateway;
  authenticator: Authenticator;
  dialects: Readonly<Record<CollectionId, Dialect>>;
  snapshot: () => Snapshot;
  /** How a try ended: undefined where it was answered. */
  observe(exchange: Exchange, refusal: Refusal | undefined): void;
  failed(exchange: Exchange, error: unknown): void;
};

type Job = { item: ClaimedItem; batch: RunningBatch; collection: Collection; exchange: Exchange };

/** Runs items of batches like the requests that they are, but for the client. */
export function createItemRunner(parts: ItemRunnerParts) {
  return (item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun => {
    const collection = collections[batch.collection];
    const exchange = openExchange({ item, batch, collection, signal }, parts);
    const done = answer({ item, batch, collection, exchange }, parts)
      .catch((error: unknown) => {
        exchange.failed(error);
        return refusalOfError(error);
      })
      .then((refusal) => {
        if (refusal) exchange.notes.errorCode = refusal.code;
        parts.observe(exchange, refusal);
        return refusal;
      });
    return { done, hasBegun: () => (exchange.notes.attempts ?? 0) > 0 };
  };
}

/** Undefined: it was answered, and its result was written with what it costs. */
async function answer(job: Job, { gateway, authenticator, dialects }: ItemRunnerParts) {
  const { item, batch, exchange } = job;
  const principal = await authenticator.recognize(exchange, batch.keyHash);
  if (principal instanceof Refusal) return principal;
  const body = parseJsonObject(item.params);
  if (body instanceof Refusal) return body;
  const inquiry = { exchange, principal, body, unattended: unattended(job) };
  const reply = await answerInference(inquiry, dialects[batch.collection], gateway);
  return reply instanceof Refusal ? reply : undefined;
}

const unattended = ({ item, batch, collection }: Job): Unattended => ({
  planClass: batch.mode === 'flex' ? 'flex' : 'batch',
  finish: (text) => ({
    lease: item.lease,
    result: 'succeeded',
    line: succeededLine(item.customId, collection, text),
  }),
});

type Opening = Omit<Job, 'exchange'> & { signal: AbortSignal };

/** What the house is told of a request that came without a connection. */
function openExchange(
  { item, batch, collection, signal }: Opening,
  { snapshot, failed }: ItemRunnerParts,
): Exchange {
  const current = snapshot();
  const { paymentMode } = current.names.header;
  const exchange: Exchange = {
    request: new Request('http://batch.invalid/', {
      method: 'POST',
      headers: { host: batch.host, [paymentMode]: 'subscription' },
      signal,
    }),
    method: 'POST',
    path: collection.itemPath,
    query: '',
    requestId: item.requestId,
    style: collection.style,
    snapshot: current,
    startedAtMs: performance.now(),
    peer: () => '',
    route: `${collection.path}/{id}`,
    params: {},
    headers: {},
    notes: {},
    failed: (error) => {
      if (!(error instanceof Refusal)) failed(exchange, error);
    },
  };
  return exchange;
}
