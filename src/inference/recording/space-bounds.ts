import { MEGABYTE } from '../../base/lib/units.ts';

/** The share of an account in the space that is kept for retries. */
const ACCOUNT_SHARE = 1 / 8;

export type SpaceLimits = { replay_mb: number; stream_log_mb: number };

/** The most bytes of one answer, and of the other answers. */
export type SpaceBounds = {
  /** The answer itself. */
  maxAnswerBytes: number;
  /** The answers of the same kind that run in this process. */
  maxRunningBytes: number;
  /** The answers that the store keeps for retries of the same account. */
  maxAccountReplayBytes: number;
  /** The answers that the store keeps for all retries. */
  maxReplayBytes: number;
  /** The streams in the store that can be read again. */
  maxStreamBytes: number;
};

/**
 * Returns the bounds for a stream that can be read again, or for another answer.
 *
 * | bound | resumable stream | other answer |
 * | - | - | - |
 * | `maxAnswerBytes` | `stream_log_mb` | an eighth of `replay_mb` |
 * | `maxRunningBytes` | `stream_log_mb` | `replay_mb` |
 * | `maxAccountReplayBytes` | an eighth of `replay_mb` | an eighth of `replay_mb` |
 * | `maxReplayBytes` | `replay_mb` | `replay_mb` |
 * | `maxStreamBytes` | `stream_log_mb` | none is kept |
 */
export function spaceBounds(
  { replay_mb, stream_log_mb }: SpaceLimits,
  { isResumable }: { isResumable: boolean },
): SpaceBounds {
  const maxReplayBytes = replay_mb * MEGABYTE;
  const maxStreamBytes = stream_log_mb * MEGABYTE;
  const maxAccountReplayBytes = maxReplayBytes * ACCOUNT_SHARE;
  return {
    maxAnswerBytes: isResumable ? maxStreamBytes : maxAccountReplayBytes,
    maxRunningBytes: isResumable ? maxStreamBytes : maxReplayBytes,
    maxAccountReplayBytes,
    maxReplayBytes,
    maxStreamBytes,
  };
}
