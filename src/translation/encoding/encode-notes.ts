import type { Refusal } from '../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../base/errors/unqualified-param.ts';
import type { Loss, LossCode } from '../canonical/loss.ts';

/**
 * Collects what an encoder reports in addition to the body: the losses, and the first reason to refuse the
 * request.
 */
export class EncodeNotes {
  readonly #codes = new Set<LossCode>();
  refusal: Refusal | undefined;

  /** Records a loss. Each code counts once. */
  lose(code: LossCode): void {
    this.#codes.add(code);
  }

  /** Refuses the request. The first refusal counts. */
  refuse(refusal: Refusal): void {
    this.refusal ??= refusal;
  }

  /** Refuses a field that the chosen model cannot serve. */
  refuseField(param: string, problem: string): void {
    this.refuse(unqualifiedParam(param, problem));
  }

  get losses(): Loss[] {
    return Array.from(this.#codes, (code) => ({ code }));
  }
}
