import type { Refusal } from '../../base/errors/refusal.ts';

/** An upstream that says, in the middle of its answer, that it will not go on. Thrown by readers, caught where the answer is taken. */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super('the upstream refused');
    this.refusal = refusal;
  }
}
