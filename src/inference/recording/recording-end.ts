import type { Refusal } from '../../base/errors/refusal.ts';
import { formatRefusal } from './kept-refusal.ts';
import type { RecordingOptions } from './recording-options.ts';
import type { RecordingEnd } from './recording-store.ts';

/** A failure is kept for this time, for clients of other processes that wait for the answer. */
const FAILURE_MS = 10_000;

/** Returns the end of a recording that was kept, and the times until which it is read. */
export function madeEnd(
  { clock, replaysMs, streamsMs, isResumable, room }: RecordingOptions,
  backgroundId: string | null,
): RecordingEnd {
  const now = clock.now();
  return {
    state: 'made',
    failure: null,
    backgroundId,
    replaysUntil: replaysMs !== undefined && room.isReplayable ? now + replaysMs : 0,
    streamsUntil: isResumable ? now + streamsMs : 0,
  };
}

/** Returns the end of a recording that failed. `hasBegun`: its readers have got the head of the answer. */
export function failedEnd(
  { clock, isResumable, streamsMs }: RecordingOptions,
  { refusal, hasBegun }: { refusal: Refusal | undefined; hasBegun: boolean },
): RecordingEnd {
  const now = clock.now();
  return {
    state: 'failed',
    failure: refusal ? formatRefusal(refusal) : null,
    backgroundId: null,
    replaysUntil: now + FAILURE_MS,
    streamsUntil: isResumable && hasBegun ? now + streamsMs : 0,
  };
}
