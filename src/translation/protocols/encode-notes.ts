import type { Refusal } from '../../base/errors/refusal.ts';
import type { Loss, LossCode } from '../canonical/loss.ts';

/** What an encoder has to say beside the body that it builds: what was lost, and the first reason not to send it. */
export class EncodeNotes {
  readonly #losses = new Map<LossCode, Loss>();
  refusal: Refusal | undefined;

  /** Each kind of loss counts once. */
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
