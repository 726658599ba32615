import { estimateUsage } from './estimate-usage.ts';
import type { StreamEvent } from './event.ts';
import { laterUsage, type Usage } from './usage.ts';

/** Merges the reports of a stream, and estimates at its end what the upstream has not counted. */
export function completeUsage(estimateInput: () => number): (event: StreamEvent) => StreamEvent[] {
  let reported: Usage | undefined;
  let saidLength = 0;
  return (event) => {
    if (event.type === 'usage') {
      reported = laterUsage(reported, event.usage);
      return [{ type: 'usage', usage: reported }];
    }
    if (event.type === 'part-delta' && 'text' in event.delta) saidLength += event.delta.text.length;
    if (event.type !== 'response-end') return [event];
    const usage = estimateUsage({ reported, saidLength, isWhole: true, estimateInput });
    return usage === reported ? [event] : [{ type: 'usage', usage }, event];
  };
}
