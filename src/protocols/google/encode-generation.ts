import type { CanonicalRequest, OutputFormat } from '../../canonical/request.ts';
import type { EncodeTarget } from '../codec.ts';
import type { EncodeNotes } from '../encode-notes.ts';
import { planThinking } from '../thinking-plan.ts';
import { encodeThinking } from './encode-thinking.ts';

const MOST_STOP_SEQUENCES = 5;
const MAX_INT32 = 2 ** 31 - 1;

export function encodeGeneration(
  request: CanonicalRequest,
  target: EncodeTarget,
  notes: EncodeNotes,
): object | undefined {
  const { sampling, maxOutputTokens, format } = request;
  const config = {
    maxOutputTokens: lower(maxOutputTokens, target.maxOutput),
    temperature: sampling.temperature,
    topP: sampling.topP,
    topK: sampling.topK,
    seed: seedOf(sampling.seed, notes),
    presencePenalty: sampling.presencePenalty,
    frequencyPenalty: sampling.frequencyPenalty,
    stopSequences: stopsOf(sampling.stopSequences, notes),
    ...formatOf(format),
    thinkingConfig: encodeThinking(planThinking(request, target, notes), target, notes),
  };
  return Object.values(config).some((value) => value !== undefined) ? config : undefined;
}

const lower = (asked: number | undefined, most: number | undefined): number | undefined =>
  asked === undefined || most === undefined ? asked : Math.min(asked, most);

function seedOf(seed: number | undefined, notes: EncodeNotes): number | undefined {
  if (seed === undefined || Math.abs(seed) <= MAX_INT32) return seed;
  notes.lose('seed');
  return undefined;
}

function stopsOf(asked: readonly string[] = [], notes: EncodeNotes): string[] | undefined {
  const stops = asked.filter((stop) => stop !== '').slice(0, MOST_STOP_SEQUENCES);
  if (stops.length < asked.length) notes.lose('stop-sequences');
  return stops.length > 0 ? stops : undefined;
}

/** `responseJsonSchema` is to `responseSchema` what `parametersJsonSchema` is to `parameters`. */
function formatOf(format: OutputFormat | undefined): object {
  if (format === undefined || format.kind === 'text') return {};
  const schema = format.kind === 'json-schema' ? { responseJsonSchema: format.schema } : {};
  return { responseMimeType: 'application/json', ...schema };
}
