import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { countOf } from '../../framing/count-of.ts';
import { createCountReader } from './reported-counts.ts';
import { tierWord } from './tier-word.ts';

/** The members of `usageMetadata` that hold token counts. */
const fields = {
  prompt: 'promptTokenCount',
  cached: 'cachedContentTokenCount',
  tools: 'toolUsePromptTokenCount',
  output: 'candidatesTokenCount',
  thinking: 'thoughtsTokenCount',
  total: 'totalTokenCount',
} as const;

/** The entries of both lists that count the tokens of sound. */
const audio = { by: 'modality', word: 'AUDIO', count: 'tokenCount' } as const;

/** Adds a `usageMetadata` to the counts of an answer. */
export const addCounts = createCountReader({
  fields,
  divided: [
    { list: 'promptTokensDetails', ...audio, name: 'audio_input' },
    { list: 'candidatesTokensDetails', ...audio, name: 'audio_output' },
  ],
  tier({ serviceTier, trafficType }) {
    const reported = textOf(serviceTier) ?? textOf(trafficType);
    return reported && tierWord(reported);
  },
});

/** Reports whether each token count of a `usageMetadata` is valid. A fraction is not. */
export const hasValidCounts = (metadata: unknown): boolean => {
  const report = objectOf(metadata);
  return Object.values(fields).every((field) => {
    const value = report[field];
    return value === undefined || value === countOf(value);
  });
};
