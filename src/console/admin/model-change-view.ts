import { Type } from '../../base/schema/type.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { DryRun } from '../settings/dry-run.ts';
import { findEntry } from '../settings/find-entry.ts';
import type { ModelChange } from '../settings/model-settings.ts';
import { operatorModelWithRow, viewWithRow } from './operator-model-view.ts';

/** The effect of a change that is not made. */
export const dryRun = Type.Object(
  {
    changes: Type.Array(
      Type.Object({ field: Type.String(), before: Type.Unknown(), after: Type.Unknown() }),
      {
        description: 'The fields that differ. `null` means that there is no such field, or no such model.',
      },
    ),
    yesterday: Type.Object(
      { requests: Type.Integer(), microcredits_before: Type.Integer(), microcredits_after: Type.Integer() },
      {
        description:
          'The answered requests of yesterday (UTC), what they cost, and what they would have cost. Conditions of prices are applied to the average request of each hour.',
      },
    ),
  },
  { title: 'Dry Run' },
);

/** A model after a change, or the effect of a change that is not made. */
export const changedModel = Type.Union([operatorModelWithRow, dryRun]);

/** Shows the stored model, or what the change would do. */
export function changedModelView(change: ModelChange, now: number): ViewOf<typeof changedModel> {
  const { id, next } = change;
  // The next settings have every model that was created or changed.
  return change.dryRun ? dryRunView(change.dryRun) : viewWithRow(findEntry(next, id)!, next, now);
}

/** Shows what a change would do. */
export const dryRunView = ({ yesterday, changes }: DryRun): ViewOf<typeof dryRun> => ({
  changes,
  yesterday: {
    requests: yesterday.requests,
    microcredits_before: yesterday.beforeMicrocredits,
    microcredits_after: yesterday.afterMicrocredits,
  },
});
