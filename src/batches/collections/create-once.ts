import { Refusal } from '../../base/errors/refusal.ts';
import { hashJsonValue } from '../../base/json/hash-json-value.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { randomText } from '../../base/lib/ids.ts';
import { msOf } from '../../base/lib/units.ts';
import type { IdempotencyStore, KeptAnswer, KeyOwner, TakenKey } from '../stored/idempotency-store.ts';
import { type CreationOrder, type CreationParts, createBatch } from './create-batch.ts';

/** A creation takes seconds, so one that lasts this long has crashed. */
const CRASHED_AFTER_MS = 10 * 60_000;

/** The answer to a creation. `isReplayed` is true if an earlier creation got it. */
export type CreationAnswer = KeptAnswer & { isReplayed: boolean };

export type OnceParts = CreationParts & { keys: IdempotencyStore; clock: Clock };

/** Creates a batch, or returns the stored answer of an earlier creation with the same key. */
export async function createOnce(
  order: Omit<CreationOrder, 'owner'>,
  key: string | undefined,
  parts: OnceParts,
): Promise<CreationAnswer | Refusal> {
  if (key === undefined) return asNew(await createBatch({ ...order, owner: undefined }, parts));
  const owner = ownerOf(order, key);
  const taken = await takeKey(order, owner, parts);
  if (taken.kind !== 'taken') return answerFromEarlier(taken);
  let answer: KeptAnswer | Refusal | undefined;
  try {
    answer = await createBatch({ ...order, owner }, parts);
    return asNew(answer);
  } finally {
    // A failed creation releases its key. If that fails too, the creation counts as crashed later.
    if (answer === undefined || answer instanceof Refusal) await parts.keys.releaseKey(owner).catch(() => {});
  }
}

const asNew = (answer: KeptAnswer | Refusal): CreationAnswer | Refusal =>
  answer instanceof Refusal ? answer : { ...answer, isReplayed: false };

const ownerOf = ({ principal, collection }: Omit<CreationOrder, 'owner'>, key: string): KeyOwner => ({
  accountId: principal.account.id,
  collection: collection.id,
  key,
  token: randomText(22),
});

/** Takes the key for this creation, unless another creation with it is running or has ended. */
async function takeKey(
  { body, exchange }: Omit<CreationOrder, 'owner'>,
  owner: KeyOwner,
  { keys, clock }: OnceParts,
): Promise<TakenKey> {
  const bodyHash = await hashJsonValue(body.value);
  const now = clock.now();
  const expiresAt = now + msOf(exchange.snapshot.config.retention.idempotency_s);
  return keys.takeKey({ ...owner, bodyHash, now, crashedAt: now + CRASHED_AFTER_MS, expiresAt });
}

/** Answers a creation whose key an earlier one has used. */
function answerFromEarlier(taken: Exclude<TakenKey, { kind: 'taken' }>): CreationAnswer | Refusal {
  if (taken.kind === 'done') return { ...taken.answer, isReplayed: true };
  return new Refusal(taken.kind === 'conflict' ? 'idempotency_conflict' : 'batch_creation_in_progress');
}
