import { createCountReader } from '../google/reported-counts.ts';

/** The entries of both lists that count the tokens of sound. */
const audio = { by: 'modality', word: 'audio', count: 'tokens' } as const;

/** Adds the usage of an event, or of a whole interaction, to the counts of an answer. */
export const addCounts = createCountReader({
  fields: {
    prompt: 'total_input_tokens',
    cached: 'total_cached_tokens',
    tools: 'total_tool_use_tokens',
    output: 'total_output_tokens',
    thinking: 'total_thought_tokens',
    total: 'total_tokens',
  },
  divided: [
    { list: 'input_tokens_by_modality', ...audio, name: 'audio_input' },
    { list: 'output_tokens_by_modality', ...audio, name: 'audio_output' },
    { list: 'grounding_tool_count', by: 'type', word: 'google_search', count: 'count', name: 'web_search' },
  ],
});
