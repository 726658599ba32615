import { CountedText } from '../../translation/canonical/counted-text.ts';
import { addUsage, type Usage } from '../../translation/canonical/usage.ts';
import type { AnswerProgress, UsageEstimate } from '../settlement/usage-estimate.ts';

/** The usage of one part of a request. */
export class PartUsage {
  readonly estimate: UsageEstimate;
  #produced: (() => AnswerProgress) | undefined;
  #counted: Usage | undefined;
  /** The part has ended, and its end was sent if the protocol sends one for each part. */
  isFinished = false;

  constructor(estimate: UsageEstimate) {
    this.estimate = estimate;
  }

  /** Registers the source of the part's progress, which is read on demand. */
  follow(produced: () => AnswerProgress): void {
    this.#produced = produced;
  }

  /** Records the usage of a part that arrived whole. */
  finish(usage: Usage): void {
    this.#counted = usage;
    this.isFinished = true;
  }

  /** Records a part that an upstream was working on when its client left, with its last usage report. */
  abandon(reported: Usage | undefined): void {
    const produced = {
      known: reported,
      reported,
      answerText: new CountedText(this.estimate),
      isWhole: false,
    };
    this.#produced = () => produced;
  }

  /** Drops the part from the bill. */
  forget(): void {
    this.#produced = undefined;
  }

  /** The usage so far. Undefined if no upstream was called. */
  get soFar(): Usage | undefined {
    return this.#counted ?? (this.#produced && this.estimate.soFar(this.#produced()));
  }

  async count(): Promise<Usage | undefined> {
    return this.#counted ?? (this.#produced && this.estimate.counted(this.#produced()));
  }
}

type WithUsage = { usage: PartUsage };

/** Returns the usage so far of all parts that have begun, or undefined if none has. */
export const usageOfParts = (parts: readonly WithUsage[]): Usage | undefined =>
  sumOf(parts.map(({ usage }) => usage.soFar));

/** Counts the usage of all parts that have begun. Returns undefined if none has. */
export const countedUsageOfParts = async (parts: readonly WithUsage[]): Promise<Usage | undefined> =>
  sumOf(await Promise.all(parts.map(({ usage }) => usage.count())));

const sumOf = (usages: readonly (Usage | undefined)[]): Usage | undefined =>
  usages.reduce((sum, usage) => (sum && usage ? addUsage(sum, usage) : (sum ?? usage)), undefined);
