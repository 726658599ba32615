import type { Authenticator } from '../auth/authenticate.ts';
import type { ClaimedItem, CollectionId } from '../batches/batch.ts';
import type { ItemRun } from '../batches/batch-runner.ts';
import type { RunningBatch } from '../batches/batch-store.ts';
import { type Collection, collections } from '../batches/collection.ts';
import type { Delivered, Packed } from '../batches/native/native-lane.ts';
import { isNativeWire, nativeWireOf } from '../batches/native/native-wires.ts';
import { succeededLine } from '../batches/result-line.ts';
import { Refusal } from '../errors/refusal.ts';
import { refusalOfError } from '../errors/refusal-of-error.ts';
import { type Exchange, ExchangeNotes } from '../http/exchange.ts';
import { parseJsonObject } from '../http/json-body.ts';
import type { Dialect } from '../protocols/dialect.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Courier } from './answer-by-courier.ts';
import { answerInference, type Gateway, type Unattended } from './gateway.ts';

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

/** Makes of items of batches the requests that they are, but for the client. */
export function createItemRunner(parts: ItemRunnerParts) {
  const jobOf = (item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): Job => {
    const collection = collections[batch.collection];
    return { item, batch, collection, exchange: openExchange({ item, batch, collection, signal }, parts) };
  };
  return {
    /** Answers it by a call, as if it had come by itself. */
    run(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun {
      const job = jobOf(item, batch, signal);
      return { done: answer(job, parts), hasBegun: () => (job.exchange.notes.attempts ?? 0) > 0 };
    },

    /** As it would be sent by a provider's own batches. */
    async pack(item: ClaimedItem, batch: RunningBatch): Promise<Packed | Refusal> {
      const job = jobOf(item, batch, NEVER);
      let packed: Packed | undefined;
      const courier: Courier = {
        takes: (target) => nativeWireOf(target) !== undefined,
        bring(target, carriage) {
          if (isNativeWire(carriage.wire)) packed ??= { target, carriage };
          return new Refusal('native_batch_unavailable');
        },
      };
      const refusal = await tryAnswer(job, parts, courier);
      return packed ?? refusal ?? new Refusal('native_batch_unavailable');
    },

    /** Makes its result of an answer that such a batch gave. */
    deliver(item: ClaimedItem, batch: RunningBatch, answered: Delivered): Promise<Refusal | undefined> {
      const courier: Courier = {
        takes: ({ provider, upstreamModel }) =>
          provider.id === answered.provider && upstreamModel === answered.upstreamModel,
        bring: (_target, { wire }) =>
          wire === answered.wire ? answered.text : new Refusal('native_batch_unavailable'),
      };
      return answer(jobOf(item, batch, NEVER), parts, courier);
    },
  };
}

const NEVER = new AbortController().signal;

async function answer(job: Job, parts: ItemRunnerParts, courier?: Courier): Promise<Refusal | undefined> {
  const { exchange } = job;
  const refusal = await tryAnswer(job, parts, courier);
  if (refusal) exchange.notes.errorCode = refusal.code;
  parts.observe(exchange, refusal);
  return refusal;
}

/** Undefined: it was answered, and its result was written with what it costs. */
async function tryAnswer(
  job: Job,
  parts: ItemRunnerParts,
  courier: Courier | undefined,
): Promise<Refusal | undefined> {
  const { gateway, authenticator, dialects } = parts;
  const { item, batch, exchange } = job;
  try {
    const principal = await authenticator.recognize(exchange, batch.keyHash);
    if (principal instanceof Refusal) return principal;
    const body = parseJsonObject(item.params);
    if (body instanceof Refusal) return body;
    const inquiry = { exchange, principal, body, unattended: unattended(job, courier) };
    const reply = await answerInference(inquiry, dialects[batch.collection], gateway);
    return reply instanceof Refusal ? reply : undefined;
  } catch (error) {
    exchange.failed(error);
    return refusalOfError(error);
  } finally {
    exchange.booking?.free();
  }
}

const unattended = ({ item, batch, collection }: Job, courier: Courier | undefined): Unattended => ({
  planClass: batch.mode === 'flex' ? 'flex' : 'batch',
  finish: (text) => ({
    lease: item.lease,
    result: 'succeeded',
    line: succeededLine(item.customId, collection, text),
  }),
  ...(courier && { courier }),
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
    notes: new ExchangeNotes(),
    failed: (error) => {
      if (!(error instanceof Refusal)) failed(exchange, error);
    },
  };
  return exchange;
}
