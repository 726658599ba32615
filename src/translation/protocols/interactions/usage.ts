import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { type Usage, usageOfTotals } from '../../canonical/usage.ts';
import { detailOf } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

const fields = [
  'total_input_tokens',
  'total_tool_use_tokens',
  'total_cached_tokens',
  'total_output_tokens',
  'total_thought_tokens',
  'total_tokens',
] as const;

/** The lists that divide a count, the member that names each part, and the parts that have a price. */
const divided = [
  { list: 'input_tokens_by_modality', count: 'tokens', by: 'modality', word: 'audio', name: 'audioInput' },
  { list: 'output_tokens_by_modality', count: 'tokens', by: 'modality', word: 'audio', name: 'audioOutput' },
  { list: 'grounding_tool_count', count: 'count', by: 'type', word: 'google_search', name: 'searches' },
] as const;

/** The largest value that a stream has reported for each count. */
export type InteractionCounts = Partial<
  Record<(typeof fields)[number] | (typeof divided)[number]['name'], number>
>;

/**
 * Merges counts. They are cumulative, and an event may omit counts of an earlier one.
 * Output of 0 takes an earlier count back.
 */
export function addCounts(earlier: InteractionCounts, usage: unknown): InteractionCounts {
  const report = objectOf(usage);
  const counts: InteractionCounts = { ...earlier };
  for (const field of fields) {
    const count = countOf(report[field]);
    if (count === undefined) continue;
    const isTakenBack = field === 'total_output_tokens' && count === 0;
    counts[field] = isTakenBack ? 0 : Math.max(count, earlier[field] ?? 0);
  }
  for (const { list, count, by, word, name } of divided) {
    for (const part of listOf(report[list]).map(objectOf)) {
      if (String(part[by]).toLowerCase() !== word) continue;
      counts[name] = Math.max(countOf(part[count]) ?? 0, earlier[name] ?? 0);
    }
  }
  return counts;
}

/**
 * Computes usage. The input includes cached tokens.
 * Thoughts and the results of hosted tools are counted separately.
 */
export function usageOf(counts: InteractionCounts): Usage | undefined {
  const {
    total_input_tokens: input,
    total_tool_use_tokens: tools = 0,
    total_thought_tokens: thinking,
  } = counts;
  if (input === undefined) return undefined;
  const unlisted = Math.max(0, (counts.total_tokens ?? 0) - input - tools - (thinking ?? 0));
  const usage = usageOfTotals({
    input: input + tools,
    cacheRead: counts.total_cached_tokens && Math.min(counts.total_cached_tokens, input),
    output: (counts.total_output_tokens ?? unlisted) + (thinking ?? 0),
    thinking,
  });
  const { audioInput: audio_input = 0, audioOutput: audio_output = 0, searches: web_search = 0 } = counts;
  const detail = detailOf({ counts: { audio_input, audio_output, web_search } });
  return detail ? { ...usage, detail } : usage;
}
