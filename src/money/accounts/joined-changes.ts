import { MINUTE_MS } from '../../base/lib/units.ts';
import type { Account } from './account.ts';
import type { AuditAction } from './audit-action.ts';

/** The time after an entry in which later changes extend it. */
export const JOINED_MS = 10 * MINUTE_MS;

/** Roles, passwords and the configuration are changed by other actions, which are never joined. */
const joinedActions: ReadonlySet<string> = new Set<AuditAction>([
  'account-change',
  'key-change',
  'auto-reload-change',
  'alert-receivers-change',
]);

/** Fields that decide who may do what, or who is reached. Each of their changes is an entry of its own. */
const separateFields: ReadonlySet<string> = new Set<keyof Account | 'role'>([
  'status',
  'email',
  'emailVerified',
  'role',
]);

/**
 * The rule by which the audit log joins changes. A change extends an earlier entry in place of a new one if
 *
 * - the same actor made it on the same target, with the same action, within `JOINED_MS`,
 * - both change one field and no other, and `isJoined()` holds for the action and this field,
 * - it begins with the value with which the entry ends.
 *
 * The entry then has the first state before, the last state after, and the number of changes. The rule is
 * applied by `join-audit.ts` for SQLite, and by `record_audit()` in Postgres. A `RepeatedEvent` has no
 * states. Its repetitions within the same time only raise the count of its entry.
 */
export const isJoined = (action: string, field: string): boolean =>
  joinedActions.has(action) && !separateFields.has(field);
