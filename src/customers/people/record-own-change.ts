import type { AuditAction } from '../../money/accounts/audit-action.ts';
import { auditOf } from './audit-of.ts';
import type { ChangeNotices, PersonChange } from './change-notices.ts';
import type { PeopleStore, PeopleWrite } from './people-store.ts';
import type { Visitor } from './visitor.ts';

export type OwnChangeParts = {
  store: PeopleStore;
  notices: ChangeNotices;
  now(): number;
};

/**
 * A change that a person has made. `notice` is the change of which the person is notified. `writes` are made
 * together with the entry of the audit log.
 */
export type OwnChange = {
  action: AuditAction;
  after?: unknown;
  notice?: PersonChange;
  writes?: readonly PeopleWrite[];
};

/** Writes a change of a person's own sign-in to the audit log, and notifies the person. */
export async function recordOwnChange(
  { store, notices, now }: OwnChangeParts,
  { email, userId }: Visitor,
  { action, after, notice, writes = [] }: OwnChange,
): Promise<void> {
  const entry = auditOf({ at: now(), actor: email, action, target: userId, after });
  await store.changePeople({ writes, audit: [entry] });
  if (notice) notices.report([email], notice);
}
