import { countOf, objectOf } from '../../../base/json/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';

/** The input's count excludes what was read from and written to a cache; thinking is not told apart from the rest of the output. */
export function usageOf(value: unknown): Usage | undefined {
  const usage = objectOf(value);
  const uncached = countOf(usage.inputTokens);
  const visible = countOf(usage.outputTokens);
  if (uncached === undefined && visible === undefined) return undefined;
  return {
    input: {
      uncached: uncached ?? 0,
      cacheRead: countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount),
      cacheWrite: countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount),
    },
    output: { visible: visible ?? 0 },
  };
}
