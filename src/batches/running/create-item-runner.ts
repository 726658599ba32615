import { errorEnvelope } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { parseBody } from '../../base/json/parse-body.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { answerInference } from '../../inference/gateway/answer-inference.ts';
import type { ArrivedRequest } from '../../inference/request/arrived-request.ts';
import { Inference } from '../../inference/request/inference.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Unattended } from '../../inference/request/unattended.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { Principal } from '../../money/auth/principal.ts';
import { startOver } from '../../money/auth/start-over.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { Trail } from '../../upstream/routing/trail.ts';
import type { NativeDelivery } from '../native/native-lane-parts.ts';
import type { PackedRequest } from '../native/packed-request.ts';
import type { ClaimedItem, CollectionId } from '../stored/batch.ts';
import type { RunningBatch } from '../stored/batch-store.ts';
import { type Collection, collections } from '../stored/collection.ts';
import type { ItemRun } from '../stored/item-run.ts';
import { succeededLine } from '../stored/result-line.ts';
import { deliverNatively } from './deliver-natively.ts';
import { type CallOffReason, nextStepOf } from './next-step.ts';
import { openItemExchange } from './open-item-exchange.ts';
import { packNatively } from './pack-natively.ts';

export type ItemRunnerParts = {
  services: Services;
  authenticator: Authenticator;
  dialects: Readonly<Record<CollectionId, Dialect>>;
  snapshot: () => Snapshot;
  /** The runner calls it before an attempt begins. */
  opened(exchange: Exchange): void;
  /**
   * Reports the end of an attempt. `refusal` is undefined if the item was answered. `isRetried` is true if a
   * later attempt follows.
   */
  observe(exchange: Exchange, refusal: Refusal | undefined, isRetried: boolean): void;
  /** Keeps the content of an attempt if an operator keeps the content of the account's requests. */
  keepContent(exchange: Exchange, request: string, answer: () => string): void;
  onFailure(exchange: Exchange, error: unknown): void;
};

/** An item at work. */
type ItemJob = {
  item: ClaimedItem;
  batch: RunningBatch;
  collection: Collection;
  exchange: Exchange;
  signal: AbortSignal;
  /** The text of the answer. Undefined until the item is answered. */
  answer?: string;
};

/** The signal of work that nothing calls off. */
const NEVER = new AbortController().signal;

/** Runs batch items as inference requests without a client. */
export function createItemRunner(parts: ItemRunnerParts) {
  const jobOf = (item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemJob => {
    const collection = collections[batch.collection];
    const { onFailure } = parts;
    const exchange = openItemExchange({
      item,
      batch,
      collection,
      signal,
      onFailure,
      snapshot: parts.snapshot(),
    });
    parts.opened(exchange);
    return { item, batch, collection, exchange, signal };
  };
  return {
    /** Answers an item by a normal upstream call. */
    run(item: ClaimedItem, batch: RunningBatch, signal: AbortSignal): ItemRun {
      const job = jobOf(item, batch, signal);
      const trail = new Trail();
      const done = reportEnd(job, parts, answer(job, parts, trail));
      return { done, hasBegun: () => trail.attempts > 0 };
    },

    /** Admits an item, holds its credit and packs it for a provider's own batch. */
    async pack(item: ClaimedItem, batch: RunningBatch): Promise<PackedRequest | Refusal> {
      const job = jobOf(item, batch, NEVER);
      try {
        const arrived = await authenticate(job, parts, { isNative: true });
        if (arrived instanceof Refusal) return arrived;
        return await withCurrentKey({ job, arrived }, parts, packNatively);
      } catch (error) {
        return refusalOf(job, error);
      }
    },

    /** Writes the result for an answer of a provider's own batch. Throws if the store is unavailable. */
    deliver(item: ClaimedItem, batch: RunningBatch, delivery: NativeDelivery): Promise<Refusal | undefined> {
      const job = jobOf(item, batch, NEVER);
      return reportEnd(job, parts, deliver(job, parts, delivery));
    },
  };
}

/** Waits for the end of an attempt, and reports it. */
async function reportEnd(
  job: ItemJob,
  parts: ItemRunnerParts,
  attempt: Promise<Refusal | undefined>,
): Promise<Refusal | undefined> {
  const refusal = await attempt;
  const { exchange, item, collection } = job;
  if (refusal) noteRefusal(exchange.notes, refusal);
  exchange.notes.status = refusal?.status ?? 200;
  parts.observe(exchange, refusal, refusal !== undefined && isRetried(job, refusal));
  parts.keepContent(exchange, item.params, () =>
    refusal ? JSON.stringify(errorEnvelope(collection.style, refusal)) : (job.answer ?? ''),
  );
  return refusal;
}

/** A batch that was canceled or has expired meanwhile ends a retry without an attempt. */
function isRetried({ item, signal }: ItemJob, refusal: Refusal): boolean {
  // Only the runner aborts the signal (see `work-on-item.ts`).
  const calledOff = signal.aborted ? (signal.reason as CallOffReason) : undefined;
  return nextStepOf(item, refusal, calledOff).kind === 'again';
}

/** Answers an item. Returns undefined if the result and its charge are written. */
async function answer(job: ItemJob, parts: ItemRunnerParts, trail: Trail): Promise<Refusal | undefined> {
  try {
    const arrived = await authenticate(job, parts, { trail });
    if (arrived instanceof Refusal) return arrived;
    const reply = await withCurrentKey({ job, arrived }, parts, answerInference);
    return reply instanceof Refusal ? reply : undefined;
  } catch (error) {
    return refusalOf(job, error);
  } finally {
    job.exchange.booking?.free();
  }
}

async function deliver(
  job: ItemJob,
  { dialects, services }: ItemRunnerParts,
  delivery: NativeDelivery,
): Promise<Refusal | undefined> {
  const { item, batch, exchange } = job;
  try {
    const body = await parseBody(item.params, services.yieldQueue);
    if (body instanceof Refusal) return body;
    const { finish, pricedAt } = unattended(job);
    return await deliverNatively(
      { exchange, body, finish, pricedAt, ...delivery },
      dialects[batch.collection],
      services,
    );
  } catch (error) {
    if (error instanceof Unavailable) throw error; // the provider keeps the answer until the store is back
    return refusalOf(job, error);
  }
}

function refusalOf({ exchange }: ItemJob, error: unknown): Refusal {
  exchange.reportFailure(error);
  return refusalOfError(error);
}

/** Authenticates an item by the current state of its key and account, and reads its body. */
async function authenticate(
  job: ItemJob,
  { authenticator, services }: ItemRunnerParts,
  way: Pick<Unattended, 'isNative' | 'trail'> = {},
): Promise<ArrivedRequest | Refusal> {
  const { item, batch, exchange } = job;
  const principal = await authenticator.recognize(exchange, batch.keyId);
  if (principal instanceof Refusal) return principal;
  const body = await parseBody(item.params, services.yieldQueue);
  if (body instanceof Refusal) return body;
  return { exchange, principal, body, unattended: { ...unattended(job), ...way } };
}

type ArrivedJob = { job: ItemJob; arrived: ArrivedRequest };

/** Works on an item. If its key or account changes during the admission, the work starts over. */
function withCurrentKey<T>(
  { job, arrived }: ArrivedJob,
  { authenticator, dialects, services }: ItemRunnerParts,
  work: (inference: Inference) => Promise<T>,
): Promise<T | Refusal> {
  const { exchange, principal } = arrived;
  const dialect = dialects[job.batch.collection];
  const workFor = (caller: Principal) =>
    work(new Inference(services, dialect, { ...arrived, principal: caller }));
  return workFor(principal).catch((error) =>
    startOver(error, principal, {
      authenticate: (stale) => authenticator.authenticateAgain(exchange, stale, 'either'),
      work: workFor,
    }),
  );
}

/** Returns what sets an item apart from a client's request: its class, its prices and its result. */
function unattended(job: ItemJob): Unattended {
  const { item, batch, collection } = job;
  return {
    planClass: batch.mode === 'flex' ? 'flex' : 'batch',
    pricedAt: batch.createdAt,
    finish: (answer) => {
      job.answer = answer.text;
      return {
        lease: item.lease,
        result: 'succeeded',
        line: succeededLine(item.customId, collection, answer),
      };
    },
  };
}
