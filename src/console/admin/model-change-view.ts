import { Type } from '../../base/schema/type.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { findEntry } from '../settings/find-entry.ts';
import type { ModelChange } from '../settings/model-change.ts';
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
          'The answered requests of yesterday (UTC), what they cost, and what they would have cost. Rows with conditions hold for the average request of an hour.',
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
  return dryView(change) ?? viewWithRow(findEntry(next, id)!, next, now);
}

/** Shows what a change would do. It is undefined for a change that was made. */
export const dryView = ({ yesterday, changes }: ModelChange): ViewOf<typeof dryRun> | undefined =>
  yesterday === null
    ? undefined
    : {
        changes,
        yesterday: {
          requests: yesterday.requests,
          microcredits_before: yesterday.beforeMicrocredits,
          microcredits_after: yesterday.afterMicrocredits,
        },
      };
