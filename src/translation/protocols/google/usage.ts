import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { entriesOf } from '../../../base/lib/records.ts';
import { type Usage, usageOfTotals } from '../../canonical/usage.ts';
import { detailOf } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

const fields = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
] as const;

/** The lists that divide a count by modality, and the count of their audio. */
const divided = { promptTokensDetails: 'audioInput', candidatesTokensDetails: 'audioOutput' } as const;

/** The largest value that a stream has reported for each field. */
export type Counts = Partial<
  Record<(typeof fields)[number] | (typeof divided)[keyof typeof divided], number>
>;

/**
 * Merges counts. They are cumulative, and a chunk may omit counts of an earlier one.
 * Output of 0 takes an earlier count back.
 */
export function addCounts(earlier: Counts, metadata: unknown): Counts {
  const reported = objectOf(metadata);
  const counts: Counts = { ...earlier };
  for (const field of fields) {
    const count = countOf(reported[field]);
    if (count === undefined) continue;
    const isTakenBack = field === 'candidatesTokenCount' && count === 0;
    counts[field] = isTakenBack ? 0 : Math.max(count, earlier[field] ?? 0);
  }
  for (const [list, name] of entriesOf(divided)) {
    if (reported[list] === undefined) continue;
    for (const part of listOf(reported[list]).map(objectOf))
      if (part.modality === 'AUDIO')
        counts[name] = Math.max(countOf(part.tokenCount) ?? 0, earlier[name] ?? 0);
  }
  return counts;
}

/** Reports whether every count of a report is one. */
export const hasOnlyCounts = (metadata: unknown): boolean =>
  fields.every((field) => {
    const value = objectOf(metadata)[field];
    return value === undefined || countOf(value) !== undefined;
  });

/**
 * Computes usage. The prompt's count includes cached tokens.
 * Thoughts and the results of hosted tools are counted separately.
 */
export function usageOf(counts: Counts): Usage | undefined {
  const {
    promptTokenCount: prompt,
    toolUsePromptTokenCount: tools = 0,
    thoughtsTokenCount: thinking,
  } = counts;
  if (prompt === undefined) return undefined;
  const unlisted = Math.max(0, (counts.totalTokenCount ?? 0) - prompt - tools - (thinking ?? 0));
  const usage = usageOfTotals({
    input: prompt + tools,
    cacheRead: counts.cachedContentTokenCount && Math.min(counts.cachedContentTokenCount, prompt),
    output: (counts.candidatesTokenCount ?? unlisted) + (thinking ?? 0),
    thinking,
  });
  const { audioInput: audio_input = 0, audioOutput: audio_output = 0 } = counts;
  const detail =
    audio_input + audio_output > 0 ? detailOf({ counts: { audio_input, audio_output } }) : undefined;
  return detail ? { ...usage, detail } : usage;
}
