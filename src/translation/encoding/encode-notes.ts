import type { Refusal } from '../../base/errors/refusal.ts';
import type { Loss, LossCode } from '../canonical/loss.ts';

/**
 * Collects what an encoder reports in addition to the body: the losses, and the
 * first reason to refuse the request.
 */
export class EncodeNotes {
  readonly #losses = new Map<LossCode, Loss>();
  refusal: Refusal | undefined;

  /** Records a loss. Each code counts once. */
  lose(code: LossCode): void {
    if (!this.#losses.has(code)) this.#losses.set(code, { code });
  }

  refuse(refusal: Refusal): void {
    this.refusal ??= refusal;
  }

  get losses(): Loss[] {
    return [...this.#losses.values()];
  }
}
