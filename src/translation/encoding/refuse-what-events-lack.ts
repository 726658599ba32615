import type { CanonicalRequest } from '../canonical/request.ts';
import type { EncodeNotes } from './encode-notes.ts';

/**
 * Refuses what the canonical events cannot carry, although some wires could: several answers and log
 * probabilities. The gateway requests several answers one by one.
 */
export function refuseWhatEventsLack({ choices = 1, logprobs }: CanonicalRequest, notes: EncodeNotes): void {
  if (choices > 1) notes.refuseField('n', 'the chosen model gives one answer at a time');
  if (logprobs) notes.refuseField('logprobs', 'the chosen model does not return log probabilities');
}
