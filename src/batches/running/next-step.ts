import type { Refusal } from '../../base/errors/refusal.ts';
import type { JobResult } from '../../base/jobs/job.ts';
import { retryDelayMs } from '../../base/jobs/retry-delay-ms.ts';
import type { ClaimedItem } from '../stored/batch.ts';

/** The number of retries of an item after temporary failures. */
export const MAX_RETRIES = 5;
/** The minimum delay before an item that found no capacity is retried. */
const FULL_PAUSE_MS = 1_000;

/** The reason for calling off an item without an answer. */
export type CallOffReason = 'canceled' | 'expired' | 'stopped';

/** The next step for an item without an answer: it ends, or it is tried again. `failed` uses a retry up. */
export type NextStep =
  | { kind: 'ends'; result: JobResult; refusal?: Refusal }
  | { kind: 'again'; delayMs: number; failed: boolean };

/** Returns the next step for an item whose attempt was refused or called off. */
export function nextStepOf(
  { failures }: Pick<ClaimedItem, 'failures'>,
  refusal: Refusal,
  calledOff: CallOffReason | undefined,
): NextStep {
  if (calledOff === 'stopped') return { kind: 'again', delayMs: 0, failed: false };
  if (calledOff) return { kind: 'ends', result: calledOff };
  const { retryAfterMs } = refusal.details;
  // No upstream was called, so this does not count as a failure.
  if (refusal.code === 'capacity_unavailable')
    return { kind: 'again', delayMs: Math.max(FULL_PAUSE_MS, retryAfterMs ?? 0), failed: false };
  if (!isTemporary(refusal) || failures >= MAX_RETRIES) return { kind: 'ends', result: 'errored', refusal };
  const delayMs = retryDelayMs({ failures: failures + 1, retryAfterMs }, Math.random);
  return { kind: 'again', delayMs, failed: true };
}

const isTemporary = ({ status }: Refusal): boolean => status === 429 || status >= 500;
