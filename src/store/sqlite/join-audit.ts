import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../base/lib/is-object.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import type { AuditRecord } from '../../money/accounts/audit.ts';
import { isJoined } from '../../money/accounts/joined-changes.ts';

type Change = Pick<AuditRecord, 'action' | 'before' | 'after'>;

/** Returns the field that a change concerns, if it is only one and its changes are joined. */
export function changedField({ action, before, after }: Change): string | undefined {
  if (!isObject(before) || !isObject(after)) return undefined;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const [field] = changed;
  return field !== undefined && changed.length === 1 && isJoined(action, field) ? field : undefined;
}

/**
 * Returns the state after both changes if the second one continues the first one: it changes the same field
 * of the same thing. An id says that the target is the thing. Otherwise the other fields show it.
 */
export function joinChanges(first: Change, second: Change, field: string): Fields | undefined {
  if (changedField(first) !== field) return undefined;
  const [left, found, after] = [first.after, second.before, second.after] as [Fields, Fields, Fields];
  if (!isDeepStrictEqual(left[field], found[field]) || !(field in after)) return undefined;
  const joined = { ...left, [field]: after[field] };
  return 'id' in left || isDeepStrictEqual(joined, after) ? joined : undefined;
}
