import { Type } from '../../base/schema/type.ts';
import { linkTo } from '../../customers/people/link-post.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { listOf, listView } from '../routes/list.ts';
import { ADDRESS } from '../routes/name-texts.ts';
import { adminRouteWith } from './admin-route.ts';
import {
  done,
  doneView,
  invitation,
  invitationView,
  member,
  memberView,
  newInvitation,
} from './people-view.ts';

const route = adminRouteWith<'accounts' | 'people'>();

const group = 'Admin: people';
const MEMBERS = '/admin/v1/accounts/{id}/members';
const INVITATIONS = '/admin/v1/accounts/{id}/invitations';

/** The routes for the members of an account, and invitations to it. */
export const memberRoutes = [
  route(
    {
      method: 'GET',
      path: MEMBERS,
      group,
      summary: 'Lists the members of an account',
      answer: listOf(member),
      returns: 'The members, oldest first.',
      errors: ['not_found'],
    },
    async ({ params }, { accounts, people: { memberships } }) => {
      const { id } = accepted(await accounts.find(params.id));
      return listView((await memberships.list(id)).map(memberView));
    },
  ),
  route(
    {
      method: 'PATCH',
      path: `${MEMBERS}/{person}`,
      group,
      summary: 'Changes the role of a member of an account',
      body: Type.Object({ role: Type.Enum(memberRoles) }, closed),
      bodyExample: { role: 'owner' },
      answer: done,
      returns: 'The role is changed.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params: { id, person }, body: { role }, actor }, { people: { memberships } }) => {
      accepted(await memberships.changeRole(id, person, role, actor));
      return doneView(person);
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${MEMBERS}/{person}`,
      group,
      summary: 'Removes a member from an account',
      answer: done,
      returns: 'The member is removed.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params: { id, person }, actor }, { people: { memberships } }) => {
      accepted(await memberships.remove(id, person, actor));
      return doneView(person);
    },
  ),
  route(
    {
      method: 'GET',
      path: INVITATIONS,
      group,
      summary: 'Lists the open invitations to an account',
      answer: listOf(invitation),
      returns: 'The invitations, oldest first.',
      errors: ['not_found'],
    },
    async ({ params }, { accounts, people: { invitations } }) => {
      const { id } = accepted(await accounts.find(params.id));
      return listView((await invitations.list(id)).map(invitationView));
    },
  ),
  route(
    {
      method: 'POST',
      path: INVITATIONS,
      group,
      summary: 'Invites an address to an account; an earlier invitation of the address ends',
      body: Type.Object({ email: Type.String(ADDRESS), role: Type.Enum(memberRoles) }, closed),
      bodyExample: { email: 'ada@example.com', role: 'owner' },
      status: 201,
      answer: newInvitation,
      returns: 'The invitation.',
      errors: ['not_found', 'conflict', 'limit_reached'],
    },
    async ({ params, body, actor, exchange }, { people: { invitations } }) => {
      const invited = await invitations.invite(params.id, { ...body, showsLink: true }, actor);
      const { invitation: made, token, isMailed } = accepted(invited);
      const link = isMailed ? null : linkTo(publicUrl(exchange), { kind: 'invitation', token });
      return { ...invitationView(made), link };
    },
  ),
  route(
    {
      method: 'DELETE',
      path: `${INVITATIONS}/{invitation}`,
      group,
      summary: 'Withdraws an invitation',
      answer: done,
      returns: 'The invitation is withdrawn.',
      errors: ['not_found'],
    },
    async ({ params: { id, invitation: withdrawn }, actor }, { people: { invitations } }) => {
      accepted(await invitations.withdraw(id, withdrawn, actor));
      return doneView(withdrawn);
    },
  ),
];
