import { isObject } from '../../base/lib/is-object.ts';
import { CountedText } from './counted-text.ts';
import type { Estimator } from './estimator.ts';
import { inputTotal, outputTotal, type Usage } from './usage.ts';

export type CountedAnswer = {
  /** The usage that the upstream reported, if it did. */
  reported: Usage | undefined;
  answerText: CountedText;
  /**
   * True if the answer is complete.
   * An earlier report covers only what had been produced by then, or none of it.
   */
  isWhole: boolean;
  estimate: Pick<Estimator, 'input' | 'maxText'>;
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
 * A compaction can be the whole answer. The upstream's own counts are then zero, and the report is complete.
 */
const isOnlyCompaction = (usage: Usage): boolean =>
  inputTotal(usage) + outputTotal(usage) === 0 &&
  usage.detail?.beside?.some(({ kind }) => kind === 'compaction') === true;

/** Returns the usage of a whole answer. The output is measured only if the upstream did not count it. */
export function usageOfWhole(reported: Usage | undefined, written: unknown, estimate: Estimator): Usage {
  if (reported && inputTotal(reported) > 0 && outputTotal(reported) > 0) return reported;
  return estimateUsage({
    reported,
    answerText: answerTextIn(written, new CountedText(estimate)),
    isWhole: true,
    estimate,
  });
}

/** Returns the usage as it is billed, which is also what the client is shown. */
export const billedUsage = (usage: Usage, estimate: Pick<Estimator, 'billed'>): Usage =>
  estimate.billed?.(usage) ?? usage;

/** Members of an answer, in any dialect, that hold what the model wrote. */
// biome-ignore format: a line for each group
const written = new Set([
  'content', 'text', 'refusal', 'reasoning_content', 'reasoning', 'thinking',
  'arguments', 'input', 'partial_json',
]);

/** Adds the text of a whole answer. */
export function answerTextIn(value: unknown, answerText: CountedText, isWritten = false): CountedText {
  if (typeof value === 'string') {
    if (isWritten) answerText.add(value);
  } else if (Array.isArray(value)) {
    for (const member of value) answerTextIn(member, answerText, isWritten);
  } else if (typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const key in members) {
      const member = members[key];
      if (key === 'input' && isObject(member)) answerText.add(JSON.stringify(member));
      else answerTextIn(member, answerText, written.has(key));
    }
  }
  return answerText;
}
