import type { Static } from 'typebox';
import { Refusal } from '../../base/errors/refusal.ts';
import { hasMemberRole } from '../../customers/people/visitor.ts';
import { memberView } from '../admin/people-view.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody, WithParams } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import { DONE, type doneView } from './done-view.ts';
import type { MembersView, memberChange } from './organization-schema.ts';

type MemberCall<Input = unknown> = OrganizationCall<WithParams<'person'> & Input>;

/** Lists the members of an organization. The visitor is marked. */
export async function listMembers(
  { visitor, accountId }: OrganizationCall,
  { memberships }: DashboardParts,
): Promise<MembersView> {
  const members = await memberships.list(accountId);
  return { data: members.map((member) => ({ ...memberView(member), is_you: member.id === visitor.userId })) };
}

export async function changeMemberRole(
  { params: { person }, visitor, accountId, body: { role } }: MemberCall<WithBody<typeof memberChange>>,
  { memberships }: DashboardParts,
): Promise<Static<typeof doneView>> {
  accepted(await memberships.changeRole(accountId, person, role, visitor.email));
  return DONE;
}

/** Removes a member. Everybody can leave, and owners can remove others. */
export async function removeMember(
  { params: { person }, visitor, accountId }: MemberCall,
  { memberships }: DashboardParts,
): Promise<Static<typeof doneView>> {
  if (person !== visitor.userId && !hasMemberRole(visitor, accountId, 'owner')) throw onlyOwners();
  accepted(await memberships.remove(accountId, person, visitor.email));
  return DONE;
}

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', { message: 'Only owners can remove other members.' });
