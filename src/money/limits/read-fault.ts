import { READS_PER_REQUEST } from '../../settings/plans/plan.ts';
import type { LimitFault } from './limit-fault.ts';
import type { LimitFigures } from './limit-figures.ts';
import type { SlidingWindow } from './sliding-window.ts';

/**
 * Returns the fault that refuses `count` more reads.
 * A call that counts more than the whole window passes if the window is empty.
 */
export function readFault(
  window: SlidingWindow,
  { requestsPerMinute }: LimitFigures,
  { nowMs, count }: { nowMs: number; count: number },
): LimitFault | undefined {
  const space = Math.max(1, requestsPerMinute * READS_PER_REQUEST - count);
  const used = window.total(nowMs);
  return used <= space ? undefined : { kind: 'reads', waitMs: window.waitMs(nowMs, space), used };
}
