import { entriesOf } from '../../base/lib/records.ts';
import type { MeteredUsage } from './metered.ts';
import type { CallPrice, FactorPrice, TokenPrice } from './price-name.ts';

/**
 * Tokens that the upstream reports apart from the answer's own: a compaction, the work of
 * another model, or images of a tool.
 */
export type TokensBeside = {
  kind: 'compaction' | 'advisor' | 'fallback' | 'image' | 'other';
  /** The upstream's name of the model, if it names one. */
  model?: string | undefined;
  /** The answer's own counts include these tokens. */
  isIncluded: boolean;
  /** Input that was not read from a cache. */
  input: number;
  cachedInput: number;
  output: number;
};

type CountName = CallPrice | TokenPrice;

/** Calls of hosted tools, and parts of the token counts that can have a price of their own. */
export type DetailCounts = Readonly<Partial<Record<CountName, number>>>;

/** The part of an upstream's report beyond input, cached input and output. Most reports have none. */
export type UsageDetail = {
  counts?: DetailCounts | undefined;
  /** The upstream's way of serving the request, if it differs from the default. */
  factors?: readonly FactorPrice[] | undefined;
  beside?: readonly TokensBeside[] | undefined;
  /** The names of paid usage that no price can name. */
  others?: readonly string[] | undefined;
  /** The quantities that a metered endpoint bills. */
  metered?: MeteredUsage | undefined;
};

type Parts = { counts: DetailCounts } & Required<
  Pick<UsageDetail, 'factors' | 'beside' | 'others' | 'metered'>
>;

/** Returns a detail without its empty parts, or undefined if all parts are empty. */
export function detailOf({
  counts,
  factors,
  beside,
  others,
  metered,
}: Partial<Parts>): UsageDetail | undefined {
  const positiveCounts: Partial<Record<CountName, number>> = {};
  for (const [name, count] of entriesOf(counts ?? {})) if (count > 0) positiveCounts[name] = count;
  const detail: UsageDetail = {
    ...(Object.keys(positiveCounts).length > 0 && { counts: positiveCounts }),
    ...(factors && factors.length > 0 && { factors }),
    ...(beside && beside.length > 0 && { beside }),
    ...(others && others.length > 0 && { others }),
    ...(metered && { metered }),
  };
  return Object.keys(detail).length > 0 ? detail : undefined;
}

/** Merges two cumulative reports of one answer. */
export function laterDetail(
  earlier: UsageDetail | undefined,
  reported: UsageDetail | undefined,
): UsageDetail | undefined {
  if (earlier === undefined || reported === undefined) return reported ?? earlier;
  return join(earlier, reported, { mergeCounts: Math.max, beside: reported.beside ?? earlier.beside });
}

/** Adds the details of two answers to one request. */
export function addDetails(
  one: UsageDetail | undefined,
  other: UsageDetail | undefined,
): UsageDetail | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const beside = [...(one.beside ?? []), ...(other.beside ?? [])];
  return join(one, other, { mergeCounts: (a, b) => a + b, beside });
}

/** `mergeCounts` merges two counts of one name. */
type Joining = {
  mergeCounts: (earlier: number, later: number) => number;
  beside: UsageDetail['beside'];
};

function join(earlier: UsageDetail, later: UsageDetail, { mergeCounts, beside }: Joining): UsageDetail {
  const counts: Partial<Record<CountName, number>> = { ...earlier.counts };
  for (const [name, reported] of entriesOf(later.counts ?? {}))
    counts[name] = mergeCounts(counts[name] ?? 0, reported);
  const factors = union(earlier.factors, later.factors);
  const others = union(earlier.others, later.others);
  const metered = later.metered ?? earlier.metered;
  return detailOf({ counts, factors, beside: beside ?? [], others, metered }) ?? {};
}

const union = <T>(one: readonly T[] = [], other: readonly T[] = []): T[] => [...new Set([...one, ...other])];
