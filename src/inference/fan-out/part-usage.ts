import { Said } from '../../translation/canonical/said.ts';
import { addUsage, type Usage } from '../../translation/canonical/usage.ts';
import type { Produced, UsageEstimate } from '../settlement/usage-estimate.ts';

/** What one of the answers to a request comes to. */
export class PartUsage {
  readonly estimate: UsageEstimate;
  #produced: (() => Produced) | undefined;
  #counted: Usage | undefined;
  /** It has come to its end, and its end was sent where it is sent by itself. */
  isFinished = false;

  constructor(estimate: UsageEstimate) {
    this.estimate = estimate;
  }

  /** It is under way: what it has produced is asked for when that is needed. */
  follow(produced: () => Produced): void {
    this.#produced = produced;
  }

  /** It came whole. */
  finish(usage: Usage): void {
    this.#counted = usage;
    this.isFinished = true;
  }

  /** An upstream was at work on it when its client left, and had said this of it. */
  abandon(reported: Usage | undefined): void {
    const produced = { reported, told: reported, said: new Said(this.estimate), isWhole: false };
    this.#produced = () => produced;
  }

  /** Nothing of it is to be paid for. */
  forget(): void {
    this.#produced = undefined;
  }

  /** Undefined: nothing was asked of an upstream. */
  get soFar(): Usage | undefined {
    return this.#counted ?? (this.#produced && this.estimate.soFar(this.#produced()));
  }

  async count(): Promise<Usage | undefined> {
    return this.#counted ?? (this.#produced && this.estimate.counted(this.#produced()));
  }
}

/** Of all parts that have begun; undefined where none has. */
export const sumOf = (usages: readonly (Usage | undefined)[]): Usage | undefined =>
  usages.reduce((sum, usage) => (sum && usage ? addUsage(sum, usage) : (sum ?? usage)), undefined);

export const countAll = async (usages: readonly PartUsage[]): Promise<Usage | undefined> =>
  sumOf(await Promise.all(usages.map((usage) => usage.count())));
