import type { Refusal } from '../../base/errors/refusal.ts';

/** Thrown by readers when an upstream reports in the middle of its answer that it has failed. */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('the upstream reported a failure');
    this.refusal = refusal;
  }
}
