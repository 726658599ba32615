import { countOf, objectOf } from '../../../base/json/read-json.ts';
import { type Usage, usageOfTotals } from '../../canonical/usage.ts';

const fields = [
  'promptTokenCount',
  'toolUsePromptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
] as const;

/** The largest that a stream has told of each field. */
export type Counts = Partial<Record<(typeof fields)[number], number>>;

/** Counts are cumulative, and a chunk may leave out what an earlier one had. */
export function addCounts(known: Counts, metadata: unknown): Counts {
  const told = objectOf(metadata);
  const counts: Counts = { ...known };
  for (const field of fields) {
    const count = countOf(told[field]);
    if (count !== undefined) counts[field] = Math.max(count, known[field] ?? 0);
  }
  return counts;
}

/** The prompt's count includes what was cached; thoughts and the results of hosted tools are counted beside it. */
export function usageOf(counts: Counts): Usage | undefined {
  const {
    promptTokenCount: prompt,
    toolUsePromptTokenCount: tools = 0,
    thoughtsTokenCount: thinking,
  } = counts;
  if (prompt === undefined) return undefined;
  const rest = Math.max(0, (counts.totalTokenCount ?? 0) - prompt - tools - (thinking ?? 0));
  return usageOfTotals({
    input: prompt + tools,
    cacheRead: counts.cachedContentTokenCount && Math.min(counts.cachedContentTokenCount, prompt),
    output: (counts.candidatesTokenCount ?? rest) + (thinking ?? 0),
    thinking,
  });
}
