import { isDeepStrictEqual } from 'node:util';
import type { AuditEntry } from '../../money/accounts/audit.ts';

type Fields = Record<string, unknown>;

/** The field that a change concerns, if it is only one. Undefined for what happened without a change. */
export function changedField({ action, before, after }: AuditEntry): string | undefined {
  if (!action.endsWith('-change') || !isFields(before) || !isFields(after)) return undefined;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return changed.length === 1 ? changed[0] : undefined;
}

/**
 * Returns the state after both changes if the second one continues the first one: it changes the same field of the same thing. An id says
 * that the target is the thing. Otherwise the other fields tell it, such as the address of a member.
 */
export function joinChanges(first: AuditEntry, second: AuditEntry, field: string): Fields | undefined {
  if (changedField(first) !== field) return undefined;
  const [left, found, after] = [first.after, second.before, second.after] as [Fields, Fields, Fields];
  if (!isDeepStrictEqual(left[field], found[field]) || !(field in after)) return undefined;
  const joined = { ...left, [field]: after[field] };
  return 'id' in left || isDeepStrictEqual(joined, after) ? joined : undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
