import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { detailOf } from '../../canonical/combine-details.ts';
import type { FactorPrice } from '../../canonical/price-name.ts';
import type { SeparateTokens, TokenCounts, UsageDetail } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

/**
 * The types of iterations, and what their tokens are billed as.
 * `null` means that they are part of the answer's own counts.
 */
const iterationKinds: Readonly<Record<string, SeparateTokens['kind'] | null>> = {
  message: null,
  compaction: 'compaction',
  advisor_message: 'advisor',
  fallback_message: 'fallback',
};

/** The requests of hosted tools that the vendor counts. `null` means that it does not charge for them. */
const serverToolCounts: Readonly<Record<string, 'web_search' | null>> = {
  web_search_requests: 'web_search',
  web_fetch_requests: null,
};

/** The places where the vendor serves a request without a place. */
const ANYWHERE = new Set<unknown>([undefined, null, '', 'global', 'not_available']);

/** Reads what a usage report says beyond its token counts. An ordinary report says nothing. */
export function readUsageDetail(usage: Fields): UsageDetail | undefined {
  const { cache_creation, server_tool_use, iterations } = usage;
  const factors = factorsOf(usage);
  if (factors === undefined && !isObject(cache_creation) && !isObject(server_tool_use) && !iterations)
    return undefined;
  const { tools, others } = toolsOf(objectOf(server_tool_use));
  return detailOf({
    counts: { ...lifetimesOf(objectOf(cache_creation)), ...tools },
    factors: factors ?? [],
    separate: Array.isArray(iterations) ? separateTokensOf(usage, iterations) : [],
    others,
  });
}

const lifetimesOf = ({ ephemeral_5m_input_tokens, ephemeral_1h_input_tokens }: Fields) => ({
  cache_write_5m: countOf(ephemeral_5m_input_tokens) ?? 0,
  cache_write_1h: countOf(ephemeral_1h_input_tokens) ?? 0,
});

function toolsOf(counts: Fields): { tools: { web_search?: number }; others: string[] } {
  const tools: { web_search?: number } = {};
  const others: string[] = [];
  for (const [name, value] of Object.entries(counts)) {
    const count = countOf(value) ?? 0;
    const price = lookUp(serverToolCounts, name);
    if (count === 0 || price === null) continue;
    if (price === undefined) others.push('server_tool_use');
    else tools[price] = count;
  }
  return { tools, others };
}

function factorsOf({ speed, service_tier, inference_geo }: Fields): FactorPrice[] | undefined {
  if (speed !== 'fast' && service_tier !== 'priority' && ANYWHERE.has(inference_geo)) return undefined;
  return [
    ...(speed === 'fast' ? (['fast'] as const) : []),
    ...(service_tier === 'priority' ? (['priority'] as const) : []),
    ...(ANYWHERE.has(inference_geo) ? [] : (['inference_geo'] as const)),
  ];
}

const totalsOf = (counts: Fields): TokenCounts => ({
  input: (countOf(counts.input_tokens) ?? 0) + (countOf(counts.cache_creation_input_tokens) ?? 0),
  cachedInput: countOf(counts.cache_read_input_tokens) ?? 0,
  output: countOf(counts.output_tokens) ?? 0,
});

const sumOf = ({ input, cachedInput, output }: TokenCounts): number => input + cachedInput + output;

/**
 * Returns the iterations that are not the asked model's own. The vendor reports compactions and advisors
 * apart from the message's counts.
 * A fallback's tokens are among them unless they equal those of the message iterations alone.
 */
function separateTokensOf(usage: Fields, iterations: readonly unknown[]): SeparateTokens[] {
  const counted = iterations.map(objectOf).map((iteration) => ({
    kind: kindOf(iteration.type),
    model: textOf(iteration.model),
    totals: totalsOf(iteration),
  }));
  const messageSum = counted.reduce(
    (sum, { kind, totals }) => (kind === null ? sum + sumOf(totals) : sum),
    0,
  );
  const hasFallbacks = messageSum === 0 || sumOf(totalsOf(usage)) !== messageSum;
  return counted.flatMap(({ kind, model, totals }) => {
    if (kind === null || sumOf(totals) === 0) return [];
    const isIncluded = (kind === 'fallback' || kind === 'other') && hasFallbacks;
    return [{ kind, model, isIncluded, ...totals }];
  });
}

/** Returns the kind of an iteration. `null` means that the message's counts include it. */
function kindOf(type: unknown): SeparateTokens['kind'] | null {
  const kind = lookUp(iterationKinds, textOf(type) ?? '');
  return kind === undefined ? 'other' : kind;
}
