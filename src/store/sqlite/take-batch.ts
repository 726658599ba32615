import type { Change } from './store-change.ts';

type Waiting = { readonly change: Pick<Change, 'bytes'> };

/** One transaction takes at most this many changes, so that a rush does not hold up the event loop for long. */
export const MAXIMUM_WRITES_PER_COMMIT = 512;
/** One transaction writes at most this much at length, or one change that is longer: others wait for its flush. */
export const MAXIMUM_BYTES_PER_COMMIT = 2 * 1024 * 1024;

/**
 * Takes the changes of the next transaction out of those that wait. A change that does not fit stays, and changes that say what they
 * write may pass it. A change that does not say so passes nobody, and nobody passes it.
 */
export function takeBatch<W extends Waiting>(waiting: W[]): W[] {
  const batch: W[] = [];
  const left: W[] = [];
  let bytes = 0;
  let next = 0;
  for (; next < waiting.length && batch.length < MAXIMUM_WRITES_PER_COMMIT; next++) {
    const write = waiting[next]!;
    const size = write.change.bytes;
    if (size === undefined && left.length > 0) break;
    if (size && bytes > 0 && bytes + size > MAXIMUM_BYTES_PER_COMMIT) {
      left.push(write);
      continue;
    }
    bytes += size ?? 0;
    batch.push(write);
  }
  waiting.splice(0, next, ...left);
  return batch;
}
