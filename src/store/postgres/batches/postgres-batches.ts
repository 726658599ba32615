import type { FinishedJob, JobLease } from '../../../base/jobs/job.ts';
import type { NativeStore, Submission } from '../../../batches/native/native-store.ts';
import type { Batch, CountedBatch, NewItem, ResultRow } from '../../../batches/stored/batch.ts';
import type {
  BatchPage,
  BatchSpace,
  BatchStore,
  Claimed,
  InspectionPage,
  ItemClaim,
  PutBack,
  RunningBatch,
  WantedBatch,
} from '../../../batches/stored/batch-store.ts';
import type {
  IdempotencyStore,
  KeptAnswer,
  KeyOwner,
  TakeKey,
  TakenKey,
} from '../../../batches/stored/idempotency-store.ts';
import { foundText } from '../../row-columns.ts';
import type { Database } from '../database.ts';
import type { Transaction } from '../queries.ts';
import {
  readAllInspected,
  readBatch,
  readBatches,
  readCharged,
  readInspected,
  readLines,
  readOneRunning,
  readRunning,
} from './batch-queries.ts';
import { cancelBatch, endBatch, stageBatch } from './batch-writes.ts';
import { claimKey, dropKey, forgetKeys, keepAnswer } from './idempotency-queries.ts';
import { claimFor, returnItem, writeItems } from './item-queries.ts';
import {
  dropSubmission,
  nameSubmission,
  readItemsAway,
  readSubmission,
  readUpstreamIds,
  writeSubmission,
} from './submission-queries.ts';

/** Ends a transaction whose work must not be kept. */
class Undone extends Error {}

/** A creation takes seconds, so a batch that is staged for this long was abandoned. */
const ABANDONED_AFTER_MS = 60 * 60_000;

const showBatchSql = `
  WITH shown AS (UPDATE batch SET staged = false, node = NULL WHERE sequence = $1 AND staged RETURNING id)
  SELECT announce('batch', id) FROM shown`;

const removeEndedSql = `
  SELECT remove_batch(sequence, false) FROM batch
  WHERE id = $1 AND key_id = $2 AND collection = $3 AND NOT staged AND ended_at IS NOT NULL`;

const selectParamsSql = 'SELECT params FROM batch_request WHERE batch = $1 AND number = $2';

const selectAbandonedSql = 'SELECT sequence FROM batch WHERE staged AND (node IS NULL OR created_at < $1)';

const forgetBatchesSql = `
  DELETE FROM batch WHERE sequence IN
    (SELECT sequence FROM batch WHERE emptied AND expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/**
 * Stores batches and the idempotency keys of their creation. `node` is the current id of this process; items,
 * submissions, staged batches and unfinished keys carry it, so that other nodes can take them over when it is
 * closed. All times that callers pass are the database's.
 */
export class PostgresBatches implements BatchStore, IdempotencyStore, NativeStore {
  readonly #database: Database;
  readonly #node: () => string;

  constructor({ database, node }: { database: Database; node: () => string }) {
    this.#database = database;
    this.#node = node;
  }

  takeKey(key: TakeKey): Promise<TakenKey> {
    return claimKey(this.#database, this.#node(), key);
  }

  releaseKey(owner: KeyOwner): Promise<void> {
    return dropKey(this.#database, owner);
  }

  stageBatch(batch: Batch, room: BatchSpace): Promise<number | undefined> {
    return this.#unlessUndone(async (queries) => {
      const sequence = await stageBatch(queries, this.#node(), { batch, room });
      if (sequence === undefined) throw new Undone();
      return sequence;
    });
  }

  async stageItems(sequence: number, first: number, items: readonly NewItem[]): Promise<void> {
    const isStaged = await writeItems(this.#database, { sequence, first, items });
    if (!isStaged) throw new Error('The batch was removed before it was complete');
  }

  async openBatch(sequence: number, creation?: { owner: KeyOwner; answer: KeptAnswer }): Promise<boolean> {
    const opened = await this.#unlessUndone(async (queries) => {
      if (creation && !(await keepAnswer(queries, creation.owner, creation.answer))) throw new Undone();
      const shown = await queries.first(showBatchSql, [sequence]);
      if (!shown) throw new Undone();
      return true;
    });
    return opened ?? false;
  }

  async dropStaged(sequence: number): Promise<void> {
    await this.#database.first('SELECT remove_batch($1, true)', [sequence]);
  }

  findBatch(wanted: WantedBatch): Promise<CountedBatch | undefined> {
    return readBatch(this.#database, wanted);
  }

  listBatches(page: BatchPage) {
    return readBatches(this.#database, page);
  }

  cancelBatch(wanted: WantedBatch, now: number): Promise<CountedBatch | undefined> {
    return this.#database.transaction(async (queries) => {
      await cancelBatch(queries, wanted, now);
      return readBatch(queries, wanted);
    });
  }

  async deleteBatch({ id, keyId, collection }: WantedBatch): Promise<void> {
    await this.#database.all(removeEndedSql, [id, keyId, collection]);
  }

  readResults(id: string, from: { after: number; limit: number; bytes: number }): Promise<ResultRow[]> {
    return readLines(this.#database, id, from);
  }

  inspectBatch(id: string) {
    return readInspected(this.#database, id);
  }

  inspectBatches(page: InspectionPage) {
    return readAllInspected(this.#database, page);
  }

  sumCharged(id: string): Promise<number> {
    return readCharged(this.#database, id);
  }

  loadRunning(): Promise<RunningBatch[]> {
    return readRunning(this.#database);
  }

  findRunning(id: string): Promise<RunningBatch | undefined> {
    return readOneRunning(this.#database, id);
  }

  createSubmission(submission: Submission, items: readonly JobLease[]): Promise<number | undefined> {
    return this.#unlessUndone(async (queries) => {
      const { id, joined } = await writeSubmission(queries, this.#node(), { submission, items });
      if (joined < items.length) throw new Undone();
      return id;
    });
  }

  openSubmission(id: number, upstreamId: string): Promise<boolean> {
    return nameSubmission(this.#database, this.#node(), { id, upstreamId });
  }

  findSubmission(id: number): Promise<Submission | undefined> {
    return readSubmission(this.#database, id);
  }

  listUpstreamIds(provider: string): Promise<string[]> {
    return readUpstreamIds(this.#database, provider);
  }

  listItemsAway(id: number): Promise<number[]> {
    return readItemsAway(this.#database, id);
  }

  closeSubmission(id: number): Promise<boolean> {
    return dropSubmission(this.#database, this.#node(), id);
  }

  async readParams(batch: number, number: number): Promise<string | undefined> {
    const row = await this.#database.first(selectParamsSql, [batch, number]);
    return foundText(row, 'params');
  }

  claimItems(claim: ItemClaim): Promise<Claimed[]> {
    return claimFor(this.#database, this.#node(), claim);
  }

  async finishItem({ line, ...job }: FinishedJob): Promise<boolean> {
    const text = JSON.stringify({ ...job, line: line?.toWellFormed() ?? null });
    const row = await this.#database.first('SELECT finish_item($1::text::jsonb) AS done', [text]);
    return row?.done === true;
  }

  putBack(item: PutBack): Promise<void> {
    return returnItem(this.#database, this.#node(), item);
  }

  async expireItems(sequence: number): Promise<void> {
    await this.#database.first(`SELECT end_queued($1, 'expired', false)`, [sequence]);
  }

  endBatch(sequence: number, now: number): Promise<boolean> {
    return endBatch(this.#database, sequence, now);
  }

  /** Releases the work of closed nodes, and removes the batches that they did not complete. */
  async recoverBatches(): Promise<void> {
    await this.#database.first('SELECT recover_batches()');
    await this.#removeAbandoned(0);
  }

  async sweepBatches(options: { now: number; forgetBefore: number; limit: number }): Promise<number> {
    const { now, forgetBefore, limit } = options;
    // A node that stopped may not have put everything back.
    await this.#database.first('SELECT recover_batches()');
    await this.#removeAbandoned(now - ABANDONED_AFTER_MS);
    let removed = await forgetKeys(this.#database, { now, limit });
    while (removed < limit) {
      const room = limit - removed;
      const row = await this.#database.first('SELECT sweep_batch($1, $2) AS removed', [now, room]);
      if (typeof row?.removed !== 'number') break;
      removed += row.removed;
    }
    return removed + (await this.#database.run(forgetBatchesSql, [forgetBefore, limit]));
  }

  /** Removes staged batches whose node is closed, and those created before a time. */
  async #removeAbandoned(before: number): Promise<void> {
    for (const { sequence } of await this.#database.all(selectAbandonedSql, [before]))
      await this.dropStaged(Number(sequence));
  }

  /** Runs a transaction. Returns undefined if the work has undone it. */
  async #unlessUndone<T>(work: (queries: Transaction) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#database.transaction(work);
    } catch (error) {
      if (error instanceof Undone) return undefined;
      throw error;
    }
  }
}
