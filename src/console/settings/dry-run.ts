import type { Fields } from '../../base/schema/json-type.ts';
import type { Pricing } from '../../settings/catalog/model.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { changesBetween, type RowChange } from './changes-between.ts';
import { effectiveRow } from './effective-row.ts';
import { findEntry } from './find-entry.ts';
import type { YesterdaysCost, YesterdaysQuestion } from './yesterdays-cost.ts';

/** The effect of a change of a model that is not made. */
export type DryRun = {
  changes: RowChange[];
  /** The cost of yesterday's requests with and without the change. */
  yesterday: YesterdaysCost;
};

/** The settings before and after a change. `fields`: those of the changed row, if there still is one. */
type ChangedSettings = { id: string; former: Snapshot; next: Snapshot; fields: Fields | undefined };

type CostParts = {
  now(): number;
  yesterday(question: YesterdaysQuestion): Promise<YesterdaysCost>;
};

/** Describes what a change would do. */
export async function describeDryRun(
  { id, former, next, fields }: ChangedSettings,
  { now, yesterday }: CostParts,
): Promise<DryRun> {
  const before = effectiveRow(former, id);
  const after = effectiveRow(next, id);
  const changedFields = new Set([...Object.keys(fields ?? before ?? {}), 'hidden']);
  return {
    changes: changesBetween(before, after, changedFields),
    yesterday: await yesterday({
      model: id,
      before: before ? pricingOf(former, id) : null,
      after: after ? pricingOf(next, id) : null,
      now: now(),
    }),
  };
}

const pricingOf = (snapshot: Snapshot, id: string): Pricing | null =>
  findEntry(snapshot, id)?.model.pricing ?? null;
