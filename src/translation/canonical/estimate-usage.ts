import { answerTextIn } from './answer-text-in.ts';
import { CountedText } from './counted-text.ts';
import type { BillingLimits, Estimator, UsageEstimator } from './estimator.ts';
import { inputTotal, outputTotal, type Usage } from './usage.ts';

/** An answer whose usage may be reported in part. */
type CountedAnswer = {
  /** The usage that the upstream reported, if it did. */
  reported: Usage | undefined;
  answerText: CountedText;
  /**
   * True if the answer is complete. A report before its end covers at most what had been produced by then.
   */
  isWhole: boolean;
  estimate: UsageEstimator;
};

/**
 * Returns the usage of an answer as the upstream counts it.
 * The gateway estimates and marks what the upstream did not count.
 */
export function estimateUsage({ reported, answerText, isWhole, estimate }: CountedAnswer): Usage {
  if (reported && isOnlyCompaction(reported)) return reported;
  const counted = reported ? outputTotal(reported) : 0;
  const input = reported && inputTotal(reported) > 0 ? reported.input : undefined;
  const output = (isWhole && counted > 0) || counted >= answerText.tokens ? reported?.output : undefined;
  if (reported && input && output) return reported;
  return {
    input: input ?? { uncached: estimate.input() },
    output: output ?? { visible: Math.min(answerText.tokens, estimate.maxText ?? Number.POSITIVE_INFINITY) },
    isEstimated: true,
    ...(reported?.detail && { detail: reported.detail }),
  };
}

/**
 * Reports whether a compaction is the whole answer. The upstream's own counts are then zero, and the report
 * is complete.
 */
const isOnlyCompaction = (usage: Usage): boolean =>
  inputTotal(usage) + outputTotal(usage) === 0 &&
  usage.detail?.separate?.some(({ kind }) => kind === 'compaction') === true;

/** Returns the usage of a whole answer. The output is measured only if the upstream did not count it. */
export function usageOfWhole(reported: Usage | undefined, answer: unknown, estimate: Estimator): Usage {
  if (reported && inputTotal(reported) > 0 && outputTotal(reported) > 0) return reported;
  return estimateUsage({
    reported,
    answerText: answerTextIn(answer, new CountedText(estimate)),
    isWhole: true,
    estimate,
  });
}

/** Returns the usage as it is billed, which is also what the client is shown. */
export const billedUsage = (usage: Usage, estimate: BillingLimits): Usage =>
  estimate.billed?.(usage) ?? usage;
