import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/codec.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { isOpenaiModel } from './is-openai-model.ts';

const MAX_STOPS = 4;

/** Encodes the token limit under the name that the host knows. */
export function encodeCeiling({ maxOutputTokens }: CanonicalRequest, target: EncodeTarget): object {
  if (maxOutputTokens === undefined) return {};
  const ceiling = Math.min(maxOutputTokens, target.maxOutput ?? maxOutputTokens);
  return { [isOpenaiModel(target.upstreamModel) ? 'max_completion_tokens' : 'max_tokens']: ceiling };
}

/** Encodes the parameters of sampling. This wire has no top-k. */
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

/** OpenAI's reasoning models refuse `stop`. */
const takesStops = ({ upstreamModel, reasoning }: EncodeTarget): boolean =>
  !(reasoning && isOpenaiModel(upstreamModel));

/** Encodes the output format. The wire requires a name for a schema. */
export function encodeFormat(format: OutputFormat | undefined): object | undefined {
  if (format === undefined) return undefined;
  if (format.kind !== 'json-schema') return { type: format.kind === 'text' ? 'text' : 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}
