import { estimateUsage } from './estimate-usage.ts';
import type { Estimator } from './estimator.ts';
import type { StreamEvent } from './event.ts';
import type { Said } from './said.ts';
import { laterUsage, type Usage } from './usage.ts';

/** Merges the usage reports of a stream. At its end, estimates what the upstream has not counted. */
export function completeUsage(
  said: Said,
  estimate: Pick<Estimator, 'input' | 'mostText'>,
): (event: StreamEvent) => StreamEvent[] {
  let reported: Usage | undefined;
  let last: Usage | undefined;
  return (event) => {
    if (event.type === 'usage') {
      last = event.usage;
      reported = laterUsage(reported, last);
      return [{ type: 'usage', usage: reported }];
    }
    if (event.type === 'part-delta' && 'text' in event.delta) said.add(event.delta.text);
    if (event.type === 'part-start' && event.part.kind === 'opaque') said.hear(event.part.block);
    if (event.type !== 'response-end') return [event];
    const isTakenBack = reported && last && takesBack(reported, last);
    const counted = isTakenBack ? { ...reported!, output: { visible: 0 } } : reported;
    const usage = estimateUsage({ reported: counted, said, isWhole: true, estimate });
    return usage === reported ? [event] : [{ type: 'usage', usage }, event];
  };
}

/** Reports whether the last report says that nothing was written, after an earlier one has counted text. Then neither is the count. */
const takesBack = (reported: Usage, { output, detail }: Usage): boolean =>
  reported.output.visible > 0 && output.visible === 0 && detail?.beside === undefined;
