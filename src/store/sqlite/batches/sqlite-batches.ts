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
import { number } from '../../row-columns.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { withSqliteProblems } from '../sqlite-problem.ts';
import { claimItems } from './claim-items.ts';
import { deleteItems } from './delete-items.ts';
import { answerKey, releaseAllKeys, releaseKey, sweepKeys, takeKey } from './idempotency-keys.ts';
import {
  cancelQueued,
  countItems,
  endQueued,
  finishItem,
  insertItems,
  putBackItem,
  releaseLeases,
  selectItemsAway,
  selectParams,
} from './items.ts';
import {
  selectAllInspected,
  selectBatch,
  selectBatches,
  selectExpired,
  selectInspected,
  selectRunning,
  selectRunningBatch,
  selectStaged,
  sumCharged,
} from './select-batches.ts';
import { selectResults } from './select-results.ts';
import {
  deleteSubmission,
  deleteSubmissionsOf,
  insertSubmission,
  selectSubmission,
  selectUpstreamIds,
  setUpstreamId,
} from './submissions.ts';
import {
  deleteBatchRow,
  forgetBatches,
  hideBatch,
  insertBatch,
  markCanceled,
  markEmptied,
  markEnded,
  showBatch,
} from './write-batches.ts';

/** The error of a creation whose idempotency key another creator has taken over. */
class KeyLost extends Error {}

/** Stores batches and the idempotency keys of their creation. */
export class SqliteBatches implements BatchStore, IdempotencyStore, NativeStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;

  constructor(connection: SqliteConnection, writer: GroupCommitWriter) {
    this.#connection = connection;
    this.#writer = writer;
  }

  takeKey(key: TakeKey): Promise<TakenKey> {
    return this.#writer.write((connection) => takeKey(connection, key));
  }

  releaseKey(owner: KeyOwner): Promise<void> {
    return this.#writer.write((connection) => releaseKey(connection, owner));
  }

  stageBatch(batch: Batch, room: BatchSpace): Promise<number | undefined> {
    return this.#writer.write((connection) => insertBatch(connection, batch, room));
  }

  stageItems(sequence: number, first: number, items: readonly NewItem[]): Promise<void> {
    return this.#writer.write((connection) => insertItems(connection, { sequence, first, items }));
  }

  async openBatch(sequence: number, creation?: { owner: KeyOwner; answer: KeptAnswer }): Promise<boolean> {
    const opening = this.#writer.write((connection) => {
      if (creation && !answerKey(connection, creation.owner, creation.answer)) throw new KeyLost();
      return showBatch(connection, sequence);
    });
    return opening.catch((error) => {
      if (error instanceof KeyLost) return false;
      throw error;
    });
  }

  dropStaged(sequence: number): Promise<void> {
    return this.#removeWhole(sequence);
  }

  async findBatch(wanted: WantedBatch): Promise<CountedBatch | undefined> {
    return this.#show(() => selectBatch(this.#connection, wanted));
  }

  async listBatches(page: BatchPage) {
    const { limit } = page;
    const found = await this.#show(() => selectBatches(this.#connection, { ...page, limit: limit + 1 }));
    if ('fault' in found) return found;
    const hasMore = found.length > limit;
    const isBackwards = page.before !== undefined && page.after === undefined;
    return { items: isBackwards ? found.slice(-limit) : found.slice(0, limit), hasMore };
  }

  async cancelBatch(wanted: WantedBatch, now: number): Promise<CountedBatch | undefined> {
    return this.#writer.write((connection) => {
      const found = selectBatch(connection, wanted);
      if (!found || found.endedAt !== null || found.cancelInitiatedAt !== null) return found;
      markCanceled(connection, found.sequence, now);
      cancelQueued(connection, found.sequence);
      return selectBatch(connection, wanted);
    });
  }

  async deleteBatch(wanted: WantedBatch): Promise<void> {
    const found = this.#read(() => selectBatch(this.#connection, wanted));
    if (found && found.endedAt !== null) await this.#removeWhole(found.sequence);
  }

  async readResults(id: string, from: { after: number; limit: number; bytes: number }): Promise<ResultRow[]> {
    return this.#show(() => {
      const row = this.#connection.first('SELECT sequence FROM batch WHERE id = $id', { id });
      return row ? selectResults(this.#connection, { ...from, sequence: number(row, 'sequence') }) : [];
    });
  }

  async inspectBatch(id: string) {
    return this.#read(() => selectInspected(this.#connection, id));
  }

  async inspectBatches(page: InspectionPage) {
    const found = this.#read(() => selectAllInspected(this.#connection, { ...page, limit: page.limit + 1 }));
    return found && { items: found.slice(0, page.limit), hasMore: found.length > page.limit };
  }

  async sumCharged(id: string): Promise<number> {
    return this.#read(() => sumCharged(this.#connection, id));
  }

  async loadRunning(): Promise<RunningBatch[]> {
    return this.#read(() => selectRunning(this.#connection));
  }

  async findRunning(id: string): Promise<RunningBatch | undefined> {
    return this.#read(() => selectRunningBatch(this.#connection, id));
  }

  createSubmission(submission: Submission, items: readonly JobLease[]): Promise<number> {
    return this.#writer.write((connection) => insertSubmission(connection, submission, items));
  }

  async openSubmission(id: number, upstreamId: string): Promise<boolean> {
    await this.#writer.write((connection) => setUpstreamId(connection, id, upstreamId));
    return true;
  }

  async findSubmission(id: number): Promise<Submission | undefined> {
    return this.#read(() => selectSubmission(this.#connection, id));
  }

  async listUpstreamIds(provider: string): Promise<string[]> {
    return this.#read(() => selectUpstreamIds(this.#connection, provider));
  }

  async listItemsAway(id: number): Promise<number[]> {
    return this.#read(() => selectItemsAway(this.#connection, id));
  }

  async closeSubmission(id: number): Promise<boolean> {
    await this.#writer.write((connection) => deleteSubmission(connection, id));
    return true;
  }

  async readParams(batch: number, number: number): Promise<string | undefined> {
    return this.#read(() => selectParams(this.#connection, batch, number));
  }

  claimItems(claim: ItemClaim): Promise<Claimed[]> {
    return this.#writer.write((connection) => claimItems(connection, claim));
  }

  finishItem(job: FinishedJob): Promise<boolean> {
    return this.#writer.write((connection) => finishItem(connection, job));
  }

  putBack(item: PutBack): Promise<void> {
    return this.#writer.write((connection) => putBackItem(connection, item));
  }

  expireItems(sequence: number): Promise<void> {
    return this.#writer.write((connection) => endQueued(connection, sequence, 'expired'));
  }

  endBatch(sequence: number, now: number): Promise<boolean> {
    return this.#writer.write((connection) => {
      const counts = countItems(connection, sequence);
      return (
        counts.processing === 0 && markEnded(connection, { sequence, now, counts: JSON.stringify(counts) })
      );
    });
  }

  async recoverBatches(): Promise<void> {
    await this.#writer.write((connection) => {
      releaseLeases(connection);
      releaseAllKeys(connection);
    });
    for (const sequence of this.#read(() => selectStaged(this.#connection)))
      await this.#removeWhole(sequence);
  }

  sweepBatches(options: { now: number; forgetBefore: number; limit: number }): Promise<number> {
    const { now, forgetBefore, limit } = options;
    return this.#writer.write((connection) => {
      let removed = sweepKeys(connection, { now, limit });
      for (const sequence of selectExpired(connection, now, limit)) {
        if (removed >= limit) break;
        const room = limit - removed;
        const deleted = deleteItems(connection, sequence, room);
        removed += deleted;
        if (deleted < room) {
          markEmptied(connection, sequence);
          deleteSubmissionsOf(connection, sequence);
        }
      }
      return removed + forgetBatches(connection, forgetBefore, limit);
    });
  }

  /**
   * Hides the batch first, so that clients never see part of it. The rows are then deleted in small
   * transactions, so that other writes do not wait long.
   */
  async #removeWhole(sequence: number): Promise<void> {
    await this.#writer.write((connection) => hideBatch(connection, sequence));
    while (await this.#writer.write((connection) => removeSome(connection, sequence))) {}
    await this.#writer.write((connection) => {
      deleteSubmissionsOf(connection, sequence);
      deleteBatchRow(connection, sequence);
    });
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#connection.path, query);
  }

  /** Reads what clients see, which no loss of power may take back. */
  #show<T>(query: () => T): Promise<T> {
    return this.#writer.afterFlush(this.#read(query));
  }
}

const ROWS_AT_A_TIME = 200;

/** Deletes some items. Returns true if more may be left. */
const removeSome = (connection: SqliteConnection, sequence: number): boolean =>
  deleteItems(connection, sequence, ROWS_AT_A_TIME) === ROWS_AT_A_TIME;
