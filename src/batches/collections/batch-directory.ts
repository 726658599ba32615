import type { Clock } from '../../base/lib/clock.ts';
import type { ActiveBatch } from '../running/active-batch.ts';
import type { CountedBatch } from '../stored/batch.ts';
import type { BatchStore, InspectedRow, InspectionPage } from '../stored/batch-store.ts';

/** A batch as operators see it. */
export type InspectedBatch = CountedBatch & {
  /** The number of failed attempts that were retried. */
  retries: number;
  /** The progress of a batch that has not ended. `null` means that it has ended. */
  progress: { atWork: number; itemsPerMinute: number | null; estimatedEndAt: number | null } | null;
};

type Sources = {
  store: Pick<BatchStore, 'inspectBatch' | 'inspectBatches'>;
  runner: { readonly active: readonly ActiveBatch[] };
  clock: Clock;
};

/** The batches of all keys, for operators. */
export class BatchDirectory {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /**
   * Lists the batches that have not expired, newest first. Returns undefined if `after` is not the id of one
   * of them.
   */
  async list(request: Omit<InspectionPage, 'now'>) {
    const now = this.#sources.clock.now();
    const page = await this.#sources.store.inspectBatches({ ...request, now });
    return page && { ...page, items: page.items.map((row) => this.#withProgress(row, now)) };
  }

  /** Finds a batch that has not expired. */
  async find(id: string): Promise<InspectedBatch | undefined> {
    const row = await this.#sources.store.inspectBatch(id);
    const now = this.#sources.clock.now();
    return row && row.expiresAt > now ? this.#withProgress(row, now) : undefined;
  }

  #withProgress({ atWork, ...batch }: InspectedRow, now: number): InspectedBatch {
    if (batch.endedAt !== null) return { ...batch, progress: null };
    if (atWork !== undefined) return { ...batch, progress: sharedProgress({ ...batch, atWork }, now) };
    const active = this.#sources.runner.active.find((running) => running.batch.id === batch.id);
    return { ...batch, progress: active ? progressOf(active, batch.counts.processing, now) : null };
  }
}

const progressOf = ({ itemsAtWork, tally }: ActiveBatch, left: number, now: number) =>
  estimate({ ...tally, atWork: itemsAtWork.size, left }, now);

/** Returns the progress of a batch that several nodes work on. */
function sharedProgress(
  { createdAt: since, size, counts, atWork }: InspectedRow & { atWork: number },
  now: number,
): InspectedBatch['progress'] {
  const left = counts.processing;
  return estimate({ since, finished: size - left, atWork, left }, now);
}

type Pace = { since: number; finished: number; atWork: number; left: number };

/** Estimates the end of a batch from its average rate so far. */
function estimate({ since, finished, atWork, left }: Pace, now: number): InspectedBatch['progress'] {
  const minutes = (now - since) / 60_000;
  const itemsPerMinute = minutes > 0 && finished > 0 ? finished / minutes : null;
  const estimatedEndAt = itemsPerMinute === null ? null : now + (left / itemsPerMinute) * 60_000;
  return { atWork, itemsPerMinute, estimatedEndAt };
}
