import type { StoreChange } from './store-change.ts';

type Waiting = { readonly change: Pick<StoreChange, 'bytes'> };

/** The most changes in one transaction. This bounds the time for which the event loop is blocked. */
export const MAX_WRITES_PER_COMMIT = 512;
/**
 * The most bytes in one transaction, since other writes wait for its flush.
 * A single larger change is allowed.
 */
export const MAX_BYTES_PER_COMMIT = 2 * 1024 * 1024;

/**
 * Removes the changes of the next transaction from the queue. A change that does not fit stays, and later
 * changes with a size may pass it.
 * A change without a size keeps its place: it passes no change, and no change passes it.
 */
export function takeBatch<W extends Waiting>(waiting: W[]): W[] {
  const batch: W[] = [];
  const skipped: W[] = [];
  let bytes = 0;
  let next = 0;
  for (; next < waiting.length && batch.length < MAX_WRITES_PER_COMMIT; next++) {
    const write = waiting[next]!;
    const size = write.change.bytes;
    if (size === undefined && skipped.length > 0) break;
    if (size && bytes > 0 && bytes + size > MAX_BYTES_PER_COMMIT) {
      skipped.push(write);
      continue;
    }
    bytes += size ?? 0;
    batch.push(write);
  }
  waiting.splice(0, next, ...skipped);
  return batch;
}
