import type { Fields } from '../../base/schema/json-type.ts';

/** A field that differs between two rows. `null` stands for a missing field. */
export type RowChange = { field: string; before: unknown; after: unknown };

/** Compares two rows field by field. Without a row on one side, only `names` are compared. */
export function changesBetween(
  before: Fields | undefined,
  after: Fields | undefined,
  names: Iterable<string>,
): RowChange[] {
  const fields = before && after ? new Set([...Object.keys(before), ...Object.keys(after)]) : new Set(names);
  return [...fields]
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => !Bun.deepEquals(change.before, change.after));
}
