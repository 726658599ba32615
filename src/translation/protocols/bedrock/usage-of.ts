import { objectOf } from '../../../base/json/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import { countOf } from '../../framing/count-of.ts';

/**
 * Reads usage. The input count excludes cache reads and writes. The output count includes thinking without a
 * separate count.
 */
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
