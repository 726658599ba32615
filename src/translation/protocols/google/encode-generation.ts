import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EncodeNotes } from '../../encoding/encode-notes.ts';
import { lowerCeiling } from '../../encoding/lower-ceiling.ts';
import { planThinking } from '../../encoding/plan-thinking.ts';
import { stopsForWire } from '../../encoding/stops-for-wire.ts';
import { MAX_STOP_SEQUENCES, seedOf } from './encode-limits.ts';
import { encodeThinking } from './encode-thinking.ts';

/** Encodes the configuration. Returns undefined if the request sets nothing in it. */
export function encodeGeneration(
  request: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): object | undefined {
  const { sampling, maxOutputTokens, format } = request;
  const config = {
    maxOutputTokens: lowerCeiling(maxOutputTokens, target.maxOutput),
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    seed: seedOf(sampling.seed, notes),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    stopSequences: stopsForWire(sampling.stopSequences, { limit: MAX_STOP_SEQUENCES }),
    ...encodeFormat(format),
    thinkingConfig: encodeThinking(planThinking(request, target, notes), target, notes),
  };
  return Object.values(config).some((value) => value !== undefined) ? config : undefined;
}

/**
 * Encodes the output format. `responseJsonSchema` accepts JSON Schema as written, unlike `responseSchema`.
 */
function encodeFormat(format: OutputFormat | undefined): object {
  if (format === undefined || format.kind === 'text') return {};
  const schema = format.kind === 'json-schema' ? { responseJsonSchema: format.schema } : {};
  return { responseMimeType: 'application/json', ...schema };
}
