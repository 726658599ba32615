import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { holdOrder } from '../../inference/hold/hold-order.ts';
import { requireCredit } from '../../inference/hold/require-credit.ts';
import { paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Limits } from '../../money/limits/limits.ts';
import type { StorageLimits } from '../../money/limits/storage-limits.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { namedVersion, VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { type Batch, unansweredCounts } from '../stored/batch.ts';
import type { BatchSpace, BatchStore } from '../stored/batch-store.ts';
import type { Collection } from '../stored/collection.ts';
import type { KeptAnswer, KeyOwner } from '../stored/idempotency-store.ts';
import { batchView } from './batch-view.ts';
import { type Creation, readCreation } from './read-creation.ts';
import type { StagingQueue } from './staging-queue.ts';

export type CreationParts = {
  store: BatchStore;
  ledger: LedgerStore;
  limits: Limits;
  storage: StorageLimits;
  clock: Clock;
  staging: StagingQueue;
  /** Reports whether every request of the body can use a provider's own batches. */
  goesNatively(snapshot: Snapshot, body: JsonBody): boolean;
  /** Reports that a batch was created and can run. */
  onCreated(id: string): void;
};

/** A request for a batch, with its caller. */
export type CreationOrder = {
  exchange: Exchange;
  principal: Principal;
  collection: Collection;
  body: JsonBody;
  /** The idempotency key, if the request has one. */
  owner: KeyOwner | undefined;
};

/** Creates a batch and returns its answer. */
export async function createBatch(order: CreationOrder, parts: CreationParts): Promise<KeptAnswer | Refusal> {
  const creation = readCreation(order.body);
  if (creation instanceof Refusal) return creation;
  const isNative =
    creation.mode.startsWith('native') && parts.goesNatively(order.exchange.snapshot, order.body);
  if (creation.mode === 'native-required' && !isNative)
    return refusePayment(order) ?? new Refusal('native_batch_unavailable');
  const bytes = storedBytes(creation);
  const refusal = refusePayment(order) ?? (await refuseCreation(order, bytes, parts));
  if (refusal) return refusal;
  const batch = newBatch(order, { ...creation, isNative }, parts.clock.now());
  const view = batchView({ ...batch, counts: unansweredCounts(batch.size) }, publicUrl(order.exchange));
  const answer = { body: JSON.stringify(view) };
  const space = { bytes, quota: parts.storage.quotaOf(order.exchange, order.principal) };
  const outcome = await stageAndOpen({ batch, space, creation, answer, owner: order.owner }, parts);
  if (outcome === 'no-space') return tooLate(order, bytes, parts);
  if (outcome === 'not-owner') return new Refusal('batch_creation_in_progress');
  parts.onCreated(batch.id);
  return answer;
}

/** Refuses pay-as-you-go, which pays for no batches. */
function refusePayment({ exchange, principal }: CreationOrder): Refusal | undefined {
  const mode = paymentMode(exchange, principal);
  if (mode instanceof Refusal) return mode;
  return mode === 'payg' ? new Refusal('payg_batch_not_supported') : undefined;
}

/** Checks credit, storage and limits, in the documented order of errors. */
async function refuseCreation(
  { exchange, principal }: CreationOrder,
  bytes: number,
  { ledger, limits, storage, clock }: CreationParts,
): Promise<Refusal | undefined> {
  const now = clock.now();
  const unpaid = await requireCredit({ exchange, principal, ledger, now });
  if (unpaid) return unpaid;
  const counts = { tokens: 0, isConcurrent: false };
  const credit = holdOrder({ exchange, principal, mode: 'subscription', now });
  const refusal =
    (await storage.refuseBatch(exchange, principal, bytes)) ??
    (await limits.refusalFor(exchange, principal, { ...counts, credit })) ??
    storage.refuseAsFull();
  if (refusal) return refusal;
  // The creation is counted last, since a refused creation must not use up a limit.
  const counted = await limits.take(exchange, principal, counts);
  return counted instanceof Refusal ? counted : undefined;
}

/** Returns the refusal of a batch whose space other requests took after the first check. */
const tooLate = async ({ exchange, principal }: CreationOrder, bytes: number, { storage }: CreationParts) =>
  (await storage.refuseBatch(exchange, principal, bytes)) ?? new Refusal('rate_limit_exceeded');

/** Returns the stored bytes of a batch before any item has a result. */
const storedBytes = ({ items }: Creation): number =>
  items.reduce((sum, { params }) => sum + Buffer.byteLength(params) + STORED_ROW_BYTES, STORED_ROW_BYTES);

type PlannedCreation = Creation & { isNative: boolean };

function newBatch(
  { exchange, principal, collection }: CreationOrder,
  creation: PlannedCreation,
  now: number,
): Batch {
  const { batches_s, batch_deadline_s } = exchange.snapshot.config.retention;
  return {
    id: newId(collection.idPrefix),
    collection: collection.id,
    accountId: principal.account.id,
    keyId: principal.apiKey.id,
    mode: creation.mode,
    isNative: creation.isNative,
    host: exchange.request.headers.get('host') ?? 'localhost',
    protocolVersion: namedVersion(exchange.request.headers.get(VERSION_HEADER)),
    size: creation.items.length,
    createdAt: now,
    expiresAt: now + msOf(batches_s),
    deadlineAt: now + msOf(Math.min(batches_s, batch_deadline_s)),
    cancelInitiatedAt: null,
    endedAt: null,
  };
}

type StagedBatch = {
  batch: Batch;
  space: BatchSpace;
  creation: Creation;
  answer: KeptAnswer;
  owner: KeyOwner | undefined;
};

/**
 * Writes a batch atomically: a failure leaves no visible batch.
 * `not-owner`: another creation has taken over the idempotency key.
 */
async function stageAndOpen(
  { batch, space, creation, answer, owner }: StagedBatch,
  { store, staging }: CreationParts,
): Promise<'written' | 'no-space' | 'not-owner'> {
  const sequence = await store.stageBatch(batch, space);
  if (sequence === undefined) return 'no-space';
  let isOpen = false;
  try {
    await staging.stage(sequence, creation.items);
    isOpen = await store.openBatch(sequence, owner && { owner, answer });
    return isOpen ? 'written' : 'not-owner';
  } finally {
    // If this fails too, the next start removes the staged batch.
    if (!isOpen) await store.dropStaged(sequence).catch(() => {});
  }
}
