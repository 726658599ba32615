import { listOf, objectOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { detailOf } from '../../canonical/combine-details.ts';
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
  const detail = detailOf({ counts: writesOf(usage) });
  return {
    input: {
      uncached: uncached ?? 0,
      cacheRead: countOf(usage.cacheReadInputTokens) ?? countOf(usage.cacheReadInputTokenCount),
      cacheWrite: countOf(usage.cacheWriteInputTokens) ?? countOf(usage.cacheWriteInputTokenCount),
    },
    output: { visible: visible ?? 0 },
    ...(detail && { detail }),
  };
}

/** Returns the cache writes with the longer lifetime. All others have the default one. */
function writesOf({ cacheDetails }: Fields): { cache_write_1h: number } {
  const long = listOf(cacheDetails)
    .map(objectOf)
    .filter(({ ttl }) => ttl === '1h');
  return {
    cache_write_1h: long.reduce((sum: number, { inputTokens }) => sum + (countOf(inputTokens) ?? 0), 0),
  };
}
