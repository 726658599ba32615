import { entriesOf, keysOf } from '../../base/lib/records.ts';
import type { MeteredUsage } from './metered.ts';
import type { CountName, UsageDetail } from './usage-detail.ts';

/** Returns a detail without its empty parts, or undefined if all parts are empty. */
export function detailOf({
  counts,
  factors,
  separate,
  others,
  metered,
}: UsageDetail): UsageDetail | undefined {
  const positiveCounts: Partial<Record<CountName, number>> = {};
  for (const [name, count] of entriesOf(counts ?? {})) if (count > 0) positiveCounts[name] = count;
  const detail: UsageDetail = {
    ...(Object.keys(positiveCounts).length > 0 && { counts: positiveCounts }),
    ...(factors && factors.length > 0 && { factors }),
    ...(separate && separate.length > 0 && { separate }),
    ...(others && others.length > 0 && { others }),
    ...(metered && { metered }),
  };
  return Object.keys(detail).length > 0 ? detail : undefined;
}

/** Merges the details of two cumulative reports of one answer. */
export function mergeDetails(
  earlier: UsageDetail | undefined,
  reported: UsageDetail | undefined,
): UsageDetail | undefined {
  if (earlier === undefined || reported === undefined) return reported ?? earlier;
  return detailOf({
    ...combine(earlier, reported, Math.max),
    separate: reported.separate ?? earlier.separate,
    metered: reported.metered ?? earlier.metered,
  });
}

/** Adds the details of two answers to one request. */
export function addDetails(
  one: UsageDetail | undefined,
  other: UsageDetail | undefined,
): UsageDetail | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return detailOf({
    ...combine(one, other, add),
    separate: [...(one.separate ?? []), ...(other.separate ?? [])],
    metered: addMetered(one.metered, other.metered),
  });
}

const add = (one: number, other: number): number => one + other;

/**
 * Adds the quantities. The form of the images and the sound are those of the second answer, if it has them.
 */
function addMetered(
  one: MeteredUsage | undefined,
  other: MeteredUsage | undefined,
): MeteredUsage | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return { ...one, ...other, counts: combineCounts(one.counts, other.counts, add) };
}

type CombineTwo = (one: number, other: number) => number;

/** Combines the members that both details can have in the same form. */
const combine = (one: UsageDetail, other: UsageDetail, combineTwo: CombineTwo): UsageDetail => ({
  counts: combineCounts(one.counts, other.counts, combineTwo),
  factors: union(one.factors, other.factors),
  others: union(one.others, other.others),
});

type CountsByName<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/** Combines the counts by name. A name without a count has 0. */
function combineCounts<Name extends string>(
  one: CountsByName<Name> | undefined,
  other: CountsByName<Name> | undefined,
  combineTwo: CombineTwo,
): CountsByName<Name> {
  const counts: Partial<Record<Name, number>> = { ...one };
  if (other === undefined) return counts;
  for (const name of keysOf(other)) counts[name] = combineTwo(counts[name] ?? 0, other[name] ?? 0);
  return counts;
}

const union = <T>(one: readonly T[] = [], other: readonly T[] = []): T[] => [...new Set([...one, ...other])];
