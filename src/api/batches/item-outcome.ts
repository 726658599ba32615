import type { Refusal } from '../../base/errors/refusal.ts';
import type { JobResult } from '../../base/jobs/job.ts';
import { retryDelayMs } from '../../base/jobs/retry-delay.ts';
import type { ClaimedItem } from './batch.ts';

/** Further tries of an item that fails in a way that may pass. */
export const MOST_RETRIES = 5;
/** Whoever found no capacity, or is put back, comes again no sooner. */
const FULL_PAUSE_MS = 1_000;

/** Why an item is called off before it has an answer. */
export type CalledOff = 'canceled' | 'expired' | 'stopped';

/** What becomes of an item that got no answer. */
export type Unanswered =
  | { kind: 'ends'; result: JobResult; refusal?: Refusal }
  | { kind: 'again'; delayMs: number; failed: boolean };

/** Asked for a try that was refused, or called off. */
export function judgeUnanswered(
  { failures }: Pick<ClaimedItem, 'failures'>,
  refusal: Refusal,
  calledOff: CalledOff | undefined,
): Unanswered {
  if (calledOff === 'stopped') return { kind: 'again', delayMs: 0, failed: false };
  if (calledOff) return { kind: 'ends', result: calledOff };
  const { retryAfterMs } = refusal.details;
  // Nobody was asked: that is no failure of the item's.
  if (refusal.code === 'capacity_unavailable')
    return { kind: 'again', delayMs: Math.max(FULL_PAUSE_MS, retryAfterMs ?? 0), failed: false };
  if (!mayPass(refusal) || failures >= MOST_RETRIES) return { kind: 'ends', result: 'errored', refusal };
  const delayMs = retryDelayMs({ failures: failures + 1, retryAfterMs }, Math.random);
  return { kind: 'again', delayMs, failed: true };
}

const mayPass = ({ status }: Refusal): boolean => status === 429 || status >= 500;
