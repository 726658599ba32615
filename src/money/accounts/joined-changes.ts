import type { Account } from './account.ts';
import type { AuditAction } from './audit-action.ts';

/**
 * Repeated changes of one ordinary field by one actor, and repetitions of an event,
 * within this time are one entry.
 */
export const JOINED_MS = 600_000;

/**
 * The actions whose repetitions are joined.
 * Changes of roles, passwords, addresses and the configuration are never joined.
 */
export const JOINED_ACTIONS: ReadonlySet<string> = new Set<AuditAction>([
  'account-change',
  'key-change',
  'auto-reload-change',
  'alert-receivers-change',
]);

/** Changes of these fields are always entries of their own. */
export const SEPARATE_FIELDS: ReadonlySet<string> = new Set<keyof Account | 'role'>([
  'status',
  'email',
  'emailVerified',
  'role',
]);
