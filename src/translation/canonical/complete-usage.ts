import type { CountedText } from './counted-text.ts';
import { estimateUsage } from './estimate-usage.ts';
import type { UsageEstimator } from './estimator.ts';
import type { StreamEvent } from './event.ts';
import { laterUsage, outputTotal, type Usage } from './usage.ts';

/** Merges the usage reports of a stream. At its end, estimates what the upstream has not counted. */
export function completeUsage(
  answerText: CountedText,
  estimate: UsageEstimator,
): (event: StreamEvent) => StreamEvent[] {
  let reported: Usage | undefined;
  let last: Usage | undefined;
  return (event) => {
    if (event.type === 'usage') {
      last = event.usage;
      reported = laterUsage(reported, last);
      return [{ type: 'usage', usage: reported }];
    }
    if (event.type === 'part-delta' && 'text' in event.delta) answerText.add(event.delta.text);
    if (event.type === 'part-start' && event.part.kind === 'opaque') answerText.addPart(event.part.block);
    if (event.type !== 'response-end') return [event];
    const estimated = (counted: Usage | undefined) =>
      estimateUsage({ reported: counted, answerText, isWhole: true, estimate });
    const whole = estimated(reported);
    const uncounted = reported && last && deniesOutput(reported, last) && estimated(withoutOutput(reported));
    const usage = uncounted && outputTotal(uncounted) > outputTotal(whole) ? uncounted : whole;
    return usage === reported ? [event] : [{ type: 'usage', usage }, event];
  };
}

const withoutOutput = (usage: Usage): Usage => ({ ...usage, output: { visible: 0 } });

/**
 * Reports whether the last report says that nothing was written, after an earlier one has counted text. The
 * earlier count may then be that of a part of the text.
 */
const deniesOutput = (reported: Usage, { output, detail }: Usage): boolean =>
  reported.output.visible > 0 && output.visible === 0 && detail?.separate === undefined;
