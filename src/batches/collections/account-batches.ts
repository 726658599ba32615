import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { WrittenBody } from '../../edge/http/reply.ts';
import type { Batch, ResultRow } from '../stored/batch.ts';
import type { BatchStore, InspectionPage } from '../stored/batch-store.ts';
import type { BatchDirectory, InspectedBatch } from './batch-directory.ts';
import { batchNotFound, notEnded } from './batch-refusals.ts';
import { sendResults } from './send-results.ts';

/** A batch with the micro-credits that its items were charged so far. */
export type ChargedBatch = InspectedBatch & { chargedMicrocredits: number };

export type AccountBatchesParts = {
  directory: BatchDirectory;
  store: Pick<BatchStore, 'sumCharged' | 'cancelBatch' | 'deleteBatch' | 'readResults'>;
  /** Reports that a batch was canceled, so that none of its items start. */
  onCanceled(id: string): void;
  clock: Clock;
};

export type AccountBatchId = { accountId: string; id: string };

/** The bytes of results that a page loads, unless its first line is longer. */
const MAX_PAGE_BYTES = 1024 * 1024;

/** The sums of ended batches that are kept in memory. */
const MAX_SUMS = 10_000;

/** The batches of all keys of an account, in both collections. */
export class AccountBatches {
  readonly #parts: AccountBatchesParts;
  readonly #finalSums = new Map<string, number>();

  constructor(parts: AccountBatchesParts) {
    this.#parts = parts;
  }

  /**
   * Lists the batches that have not expired, newest first. Returns undefined if `after` is not the id of one
   * of them.
   */
  async list(request: Omit<InspectionPage, 'now'> & { accountId: string }) {
    const page = await this.#parts.directory.list(request);
    if (!page) return undefined;
    const items: ChargedBatch[] = [];
    for (const batch of page.items) items.push(await this.#charged(batch));
    return { ...page, items };
  }

  async find(wanted: AccountBatchId): Promise<ChargedBatch | Refusal> {
    const batch = await this.#find(wanted);
    return batch instanceof Refusal ? batch : this.#charged(batch);
  }

  /** Cancels the items that have not started. An ended batch stays as it is. */
  async cancel(wanted: AccountBatchId): Promise<ChargedBatch | Refusal> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    if (batch.endedAt === null) {
      await this.#parts.store.cancelBatch(batch, this.#parts.clock.now());
      this.#parts.onCanceled(batch.id);
    }
    return this.find(wanted);
  }

  async delete(wanted: AccountBatchId): Promise<Refusal | undefined> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    if (!canDelete(batch))
      return new Refusal('conflict', { message: 'Only batches of the messages API can be deleted.' });
    if (batch.endedAt === null) return notEnded(batch, 'It can be deleted afterwards.');
    await this.#parts.store.deleteBatch(batch);
    return undefined;
  }

  /**
   * Returns a page of the batch's items after the item with the number `after`, even before the batch has
   * ended.
   */
  async items(
    wanted: AccountBatchId,
    { after, limit }: { after: number; limit: number },
  ): Promise<{ rows: ResultRow[]; hasMore: boolean } | Refusal> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    const rows = await this.#parts.store.readResults(batch.id, { after, limit, bytes: MAX_PAGE_BYTES });
    const last = rows.at(-1)?.number ?? batch.size;
    return { rows, hasMore: last < batch.size - 1 };
  }

  /** Returns the lines of an ended batch, which are read while they are sent. */
  async results(wanted: AccountBatchId): Promise<WrittenBody | Refusal> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    if (batch.endedAt === null) return notEnded(batch, 'It can be downloaded afterwards.');
    return sendResults(this.#parts.store, batch);
  }

  async #find({ accountId, id }: AccountBatchId): Promise<InspectedBatch | Refusal> {
    const batch = await this.#parts.directory.find(id);
    return batch?.accountId === accountId ? batch : batchNotFound(id);
  }

  /** Adds the charges of a batch, which has a thousand items at most. The sum of an ended batch is kept. */
  async #charged(batch: InspectedBatch): Promise<ChargedBatch> {
    const finalSum = this.#finalSums.get(batch.id);
    if (finalSum !== undefined) return { ...batch, chargedMicrocredits: finalSum };
    // The store adds up without a pause, so other requests get a turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
    const chargedMicrocredits = await this.#parts.store.sumCharged(batch.id);
    if (batch.endedAt !== null) {
      if (this.#finalSums.size >= MAX_SUMS) this.#finalSums.clear();
      this.#finalSums.set(batch.id, chargedMicrocredits);
    }
    return { ...batch, chargedMicrocredits };
  }
}

/** Reports whether a batch can be deleted. Only the official client of the messages collection can do so. */
export const canDelete = ({ collection }: Batch): boolean => collection === 'messages';
