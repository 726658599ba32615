import type { Usage } from '../../canonical/usage.ts';
import { countOf, objectOf } from '../read-json.ts';

/** The prompt's count includes what was cached; thoughts and the results of hosted tools are counted beside it. */
export function usageOf(metadata: unknown): Usage | undefined {
  const counts = objectOf(metadata);
  const prompt = countOf(counts.promptTokenCount);
  if (prompt === undefined) return undefined;
  const tools = countOf(counts.toolUsePromptTokenCount) ?? 0;
  const cacheRead = countOf(counts.cachedContentTokenCount);
  const thinking = countOf(counts.thoughtsTokenCount);
  const total = countOf(counts.totalTokenCount) ?? 0;
  const rest = Math.max(0, total - prompt - tools - (thinking ?? 0));
  return {
    input: { uncached: Math.max(0, prompt - (cacheRead ?? 0)) + tools, cacheRead },
    output: { visible: countOf(counts.candidatesTokenCount) ?? rest, thinking },
  };
}
