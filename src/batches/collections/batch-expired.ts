import { Refusal } from '../../base/errors/refusal.ts';

/** Refuses the results of a batch that has expired. */
export const batchExpired = (): Refusal =>
  new Refusal('endpoint_retired', { message: 'This batch has expired, and its results are deleted.' });
