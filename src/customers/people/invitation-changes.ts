import { newId } from '../../base/lib/ids.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { hashKey } from '../../money/accounts/key-format.ts';
import { auditOf } from './audit-of.ts';
import { membersLock } from './members-lock.ts';
import type { PeopleChange } from './people-store.ts';
import type { RowOf } from './people-tables.ts';
import { isLiveAt, matching } from './people-tests.ts';
import type { Person } from './person.ts';
import type { MemberRole } from './visitor.ts';

/** The row of an invitation. */
export type Invitation = RowOf<'invitation'>;

/** `actor` is who invites. */
type InvitationFacts = {
  accountId: string;
  email: string;
  role: MemberRole;
  token: string;
  actor: string;
  now: number;
};

const VALID_MS = 7 * DAY_MS;

/** Makes the row of an invitation. It has a hash of the token. */
export const newInvitation = ({
  accountId,
  email,
  role,
  token,
  actor,
  now,
}: InvitationFacts): Invitation => ({
  id: newId('inv_'),
  account_id: accountId,
  email,
  role,
  token_hash: hashKey(token),
  invited_by: actor,
  created_at: now,
  expires_at: now + VALID_MS,
});

/**
 * Saves an invitation in place of an earlier one of the address. A conflict means that the organization has
 * `limit` others.
 */
export function changeToInvite(invitation: Invitation, limit: number): PeopleChange {
  const { account_id: accountId, email, role, invited_by: actor, created_at: at } = invitation;
  const open = [...matching({ account_id: accountId }), isLiveAt(at)];
  return {
    writes: [
      { kind: 'delete', table: 'invitation', where: matching({ account_id: accountId, email }) },
      { kind: 'insert', table: 'invitation', row: invitation },
      { kind: 'expect', table: 'invitation', where: open, limit },
    ],
    audit: [auditOf({ at, actor, action: 'member-invite', target: accountId, after: { email, role } })],
    lock: membersLock(accountId),
  };
}

/**
 * Makes an invited person a member. A conflict means that the invitation has ended meanwhile, or that the
 * organization has `limit` members.
 */
export function changeToJoin(
  { id, account_id: accountId, role, invited_by: invitedBy }: Invitation,
  { id: personId, email }: Person,
  { limit, now }: { limit: number; now: number },
): PeopleChange {
  const row = { account_id: accountId, person_id: personId, role, created_at: now };
  const after = { email, role, invitedBy };
  return {
    writes: [
      { kind: 'delete', table: 'invitation', where: matching({ id }), rows: 1 },
      { kind: 'insert', table: 'membership', row },
      { kind: 'expect', table: 'membership', where: matching({ account_id: accountId }), limit },
    ],
    audit: [auditOf({ at: now, actor: email, action: 'member-add', target: accountId, after })],
    lock: membersLock(accountId),
  };
}
