import { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';
import type { CountedBatch } from '../stored/batch.ts';

const MAX_SHOWN_ID = 80;

/** Refuses a batch that does not exist, or is no longer there. */
export const batchNotFound = (id: string): Refusal =>
  new Refusal('not_found', {
    message: `No batch has the id '${printable(id, MAX_SHOWN_ID)}', or the batch was deleted or has expired.`,
  });

/** Refuses the results of a batch that has expired. */
export const batchExpired = (): Refusal =>
  new Refusal('endpoint_retired', { message: 'This batch has expired, and its results are deleted.' });

/** Refuses what only an ended batch allows. `advice` is the sentence that says when it can be done. */
export const notEnded = ({ counts, size }: CountedBatch, advice: string): Refusal =>
  new Refusal('batch_not_ended', {
    message: `The batch has not ended yet: ${counts.processing} of ${size} requests are being processed. ${advice}`,
  });
