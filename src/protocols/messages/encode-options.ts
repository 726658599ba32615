import type { CanonicalRequest, Sampling } from '../../canonical/request.ts';
import { Refusal } from '../../errors/refusal.ts';
import type { EncodeNotes } from '../encode-notes.ts';
import { isObject } from '../read-json.ts';
import { stopsForWire } from '../stops-for-wire.ts';

/** What this wire cannot do at all: requirements are refused, hints are lost. */
export function noteWhatIsMissing(
  { choices = 1, logprobs, sampling }: CanonicalRequest,
  notes: EncodeNotes,
): void {
  const { frequencyPenalty, presencePenalty, seed } = sampling;
  if (choices > 1) refuse(notes, 'n', 'the chosen model gives one answer at a time');
  if (logprobs) refuse(notes, 'logprobs', 'the chosen model does not tell log probabilities');
  if (frequencyPenalty || presencePenalty) notes.lose('penalty');
  if (seed !== undefined) notes.lose('seed');
}

function refuse(notes: EncodeNotes, param: string, problem: string): void {
  notes.refuse(new Refusal('route_not_qualified', { param, message: `${param}: ${problem}` }));
}

/** The vendor takes no other values beside thinking. */
const LEAST_TOP_P_OF_THINKING = 0.95;

export function encodeSampling(sampling: Sampling, thinks: boolean, notes: EncodeNotes): object {
  const { temperature, topP, topK } = sampling;
  // Elsewhere temperatures go up to 2.
  const fits = {
    temperature: temperature === undefined ? undefined : Math.min(temperature, 1),
    top_p: topP,
    top_k: topK,
  };
  if (thinks && fits.temperature !== 1) fits.temperature = undefined;
  if (thinks && (topP ?? 1) < LEAST_TOP_P_OF_THINKING) fits.top_p = undefined;
  if (thinks) fits.top_k = undefined;
  if (fits.temperature !== temperature || fits.top_p !== topP) notes.lose('sampling');
  if (fits.top_k !== topK) notes.lose('top-k');
  return { ...fits, stop_sequences: stopsForWire(sampling.stopSequences, { takes: isTakenStop }) };
}

/** The vendor refuses stops of nothing but white space. */
const isTakenStop = (stop: string): boolean => stop.trim() !== '';

const tiers = new Set<string | undefined>(['auto', 'standard_only']);

export function encodeHints({ hints }: CanonicalRequest, notes: EncodeNotes): object {
  const { user, serviceTier } = hints;
  if (serviceTier !== undefined && serviceTier !== 'default' && !tiers.has(serviceTier))
    notes.lose('service-tier');
  return {
    metadata: user === undefined ? undefined : { user_id: user },
    service_tier: tiers.has(serviceTier) ? serviceTier : undefined,
  };
}

/** Fields that came in this protocol's own dialect. */
export function encodeOwn({ opaque = [] }: CanonicalRequest, notes: EncodeNotes): object {
  if (opaque.some(({ issuer }) => issuer !== 'messages')) notes.lose('opaque-block');
  const own = opaque.filter(({ issuer }) => issuer === 'messages').map(({ block }) => block);
  return Object.assign({}, ...own.filter(isObject));
}
