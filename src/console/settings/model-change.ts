import type { Fields } from '../../base/schema/json-type.ts';
import type { Pricing } from '../../settings/catalog/model.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { changesBetween, type RowChange } from './changes-between.ts';
import { effectiveRow } from './effective-row.ts';
import { findEntry } from './find-entry.ts';
import type { YesterdaysCost, YesterdaysQuestion } from './yesterdays-cost.ts';

/** The effect of a change of a model. */
export type ModelChange = {
  id: string;
  changes: RowChange[];
  /** The cost of yesterday's requests with and without the change. `null` means that the change is made. */
  yesterday: YesterdaysCost | null;
  /** The settings with the change. */
  next: Snapshot;
};

/** The settings before and after a change, and the fields of the changed row, if there still is one. */
type ChangedSettings = { id: string; former: Snapshot; next: Snapshot; fields: Fields | undefined };

/** The parts that compute the cost of a change which is not made. */
type CostParts = {
  now(): number;
  yesterday(question: YesterdaysQuestion): Promise<YesterdaysCost>;
};

/** Describes the effect of a change. With the parts for costs, it has the cost of yesterday's requests. */
export async function describeChange(
  { id, former, next, fields }: ChangedSettings,
  costParts: CostParts | undefined,
): Promise<ModelChange> {
  const before = effectiveRow(former, id);
  const after = effectiveRow(next, id);
  const changedFields = new Set([...Object.keys(fields ?? before ?? {}), 'hidden']);
  const yesterday = costParts
    ? await costParts.yesterday({
        model: id,
        before: before ? pricingOf(former, id) : null,
        after: after ? pricingOf(next, id) : null,
        now: costParts.now(),
      })
    : null;
  return { id, changes: changesBetween(before, after, changedFields), yesterday, next };
}

const pricingOf = (snapshot: Snapshot, id: string): Pricing | null =>
  findEntry(snapshot, id)?.model.pricing ?? null;
