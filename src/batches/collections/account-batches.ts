import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { printable } from '../../base/schema/printable.ts';
import type { WrittenBody } from '../../edge/http/reply.ts';
import type { Batch, ResultRow } from '../stored/batch.ts';
import type { BatchStore, InspectionPage } from '../stored/batch-store.ts';
import type { BatchDirectory, InspectedBatch } from './batch-directory.ts';
import { sendResults } from './send-results.ts';

/** A batch with the micro-credits that its items were charged so far. */
export type ChargedBatch = InspectedBatch & { chargedMicrocredits: number };

export type AccountBatchesParts = {
  directory: BatchDirectory;
  store: Pick<BatchStore, 'sumCharged' | 'cancelBatch' | 'deleteBatch' | 'readResults'>;
  /** Reports that a batch was canceled, so that none of its items start. */
  canceled(id: string): void;
  clock: Clock;
};

/** Names a batch of an account. */
export type OfAccount = { accountId: string; id: string };

/** The bytes of results that a page loads, unless its first line is longer. */
const BYTES_OF_A_PAGE = 1024 * 1024;

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
   * Lists the batches that have not expired, newest first.
   * Returns undefined if `after` is not the id of one of them.
   */
  async list(page: Omit<InspectionPage, 'now'> & { accountId: string }) {
    const found = await this.#parts.directory.list(page);
    if (!found) return undefined;
    const items: ChargedBatch[] = [];
    for (const batch of found.items) items.push(await this.#charged(batch));
    return { ...found, items };
  }

  async find(wanted: OfAccount): Promise<ChargedBatch | Refusal> {
    const batch = await this.#find(wanted);
    return batch instanceof Refusal ? batch : this.#charged(batch);
  }

  /** Cancels the items that have not started. An ended batch stays as it is. */
  async cancel(wanted: OfAccount): Promise<ChargedBatch | Refusal> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    if (batch.endedAt === null) {
      await this.#parts.store.cancelBatch(batch, this.#parts.clock.now());
      this.#parts.canceled(batch.id);
    }
    return this.find(wanted);
  }

  async delete(wanted: OfAccount): Promise<Refusal | undefined> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    if (!mayDelete(batch))
      return new Refusal('conflict', { message: 'Only batches of the messages API can be deleted.' });
    if (batch.endedAt === null) return notEnded(batch, 'deleted');
    await this.#parts.store.deleteBatch(batch);
    return undefined;
  }

  /**
   * Returns a page of the batch's items after the item with the number `after`,
   * even before the batch has ended.
   */
  async items(
    wanted: OfAccount,
    { after, limit }: { after: number; limit: number },
  ): Promise<{ rows: ResultRow[]; hasMore: boolean } | Refusal> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    const rows = await this.#parts.store.readResults(batch.id, { after, limit, bytes: BYTES_OF_A_PAGE });
    const last = rows.at(-1)?.number ?? batch.size;
    return { rows, hasMore: last < batch.size - 1 };
  }

  /** Returns the lines of an ended batch, which are read while they are sent. */
  async results(wanted: OfAccount): Promise<WrittenBody | Refusal> {
    const batch = await this.#find(wanted);
    if (batch instanceof Refusal) return batch;
    return batch.endedAt === null ? notEnded(batch, 'downloaded') : sendResults(this.#parts.store, batch);
  }

  async #find({ accountId, id }: OfAccount): Promise<InspectedBatch | Refusal> {
    const batch = await this.#parts.directory.find(id);
    return batch?.accountId === accountId ? batch : noSuchBatch(id);
  }

  /**
   * Adds up a thousand entries at most.
   * Other requests get a turn before, and the sum of an ended batch is kept.
   */
  async #charged(batch: InspectedBatch): Promise<ChargedBatch> {
    const sums = this.#finalSums.get(batch.id);
    if (sums !== undefined) return { ...batch, chargedMicrocredits: sums };
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
export const mayDelete = ({ collection }: Pick<Batch, 'collection'>): boolean => collection === 'messages';

const noSuchBatch = (id: string): Refusal =>
  new Refusal('not_found', {
    message: `No batch has the id '${printable(id, 80)}', or the batch was deleted or has expired.`,
  });

const notEnded = ({ counts, size }: InspectedBatch, purpose: string): Refusal =>
  new Refusal('batch_not_ended', {
    message: `The batch has not ended yet: ${counts.processing} of ${size} requests are being processed. It can be ${purpose} afterwards.`,
  });
