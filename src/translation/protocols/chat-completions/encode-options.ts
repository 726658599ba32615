import type { CanonicalRequest } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { isOpenaiModel } from './is-openai-model.ts';

const MAX_STOPS = 4;

/** Reports whether the target takes `stop`, which OpenAI's reasoning models refuse. */
const takesStops = ({ upstreamModel, reasoning }: EncodeTarget): boolean =>
  !(reasoning && isOpenaiModel(upstreamModel));

/** Encodes the token limit under the name that the host knows. */
export function encodeMaxTokens({ maxOutputTokens }: CanonicalRequest, target: EncodeTarget): object {
  if (maxOutputTokens === undefined) return {};
  const limit = Math.min(maxOutputTokens, target.maxOutput ?? maxOutputTokens);
  return { [isOpenaiModel(target.upstreamModel) ? 'max_completion_tokens' : 'max_tokens']: limit };
}

/**
 * Encodes the parameters of sampling. This wire has no top-k. The gateway itself ends the answer at the stop
 * sequences that are not sent.
 */
export function encodeSampling(
  { sampling }: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): object {
  if (sampling.topK !== undefined) notes.lose('top-k');
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    seed: sampling.seed,
    stop: takesStops(target) ? stopsForWire(sampling.stopSequences, { limit: MAX_STOPS }) : undefined,
  };
}
