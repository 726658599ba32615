import type { CanonicalRequest, Sampling } from '../../canonical/request.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { fitHint } from '../../encoding/fit-hint.ts';
import { noteOpenaiOptions } from '../../encoding/note-unsupported.ts';
import { refuseWhatEventsLack } from '../../encoding/refuse-what-events-lack.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';

/** The lowest `top_p` that the vendor accepts together with thinking. */
const MIN_TOP_P_OF_THINKING = 0.95;

/** https://platform.claude.com/docs/en/api/messages#metadata */
const MAX_USER_ID_LENGTH = 256;

const tiers = new Set<string | undefined>(['auto', 'standard_only']);

/** Notes what this wire cannot express. Requirements are refused, hints are lost. */
export function noteUnsupported(request: CanonicalRequest, notes: EncodeNotes): void {
  const { frequencyPenalty, presencePenalty, seed } = request.sampling;
  refuseWhatEventsLack(request, notes);
  if (frequencyPenalty || presencePenalty) notes.lose('penalty');
  if (seed !== undefined) notes.lose('seed');
  noteOpenaiOptions(request, notes);
}

/** Encodes sampling within the vendor's bounds, which are narrower together with thinking. */
export function encodeSampling(sampling: Sampling, thinks: boolean, notes: EncodeNotes): object {
  const { temperature, topP, topK } = sampling;
  // Other vendors' temperatures go up to 2.
  const fits = {
    temperature: temperature === undefined ? undefined : Math.min(temperature, 1),
    top_p: topP,
    top_k: topK,
  };
  if (thinks && fits.temperature !== 1) fits.temperature = undefined;
  if (thinks && (topP ?? 1) < MIN_TOP_P_OF_THINKING) fits.top_p = undefined;
  if (thinks) fits.top_k = undefined;
  if (fits.temperature !== temperature || fits.top_p !== topP) notes.lose('sampling');
  if (fits.top_k !== topK) notes.lose('top-k');
  return { ...fits, stop_sequences: stopsForWire(sampling.stopSequences, { takes: isTakenStop }) };
}

/** Returns false for a stop sequence of white space only, which the vendor refuses. */
const isTakenStop = (stop: string): boolean => stop.trim() !== '';

export function encodeHints({ hints }: CanonicalRequest, notes: EncodeNotes): object {
  const { serviceTier } = hints;
  const user_id = fitHint(hints.user, MAX_USER_ID_LENGTH);
  if (serviceTier !== undefined && serviceTier !== 'default' && !tiers.has(serviceTier))
    notes.lose('service-tier');
  return {
    metadata: user_id === undefined ? undefined : { user_id },
    service_tier: tiers.has(serviceTier) ? serviceTier : undefined,
  };
}
