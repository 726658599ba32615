import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { findPerson } from '../../customers/people/person.ts';
import { roleIn } from '../../customers/people/visitor.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import { invitationView, memberView } from '../admin/people-view.ts';
import { accepted } from '../routes/accepted.ts';
import { dashboardRoute } from './dashboard-route.ts';
import * as schema from './organization-schema.ts';
import { doneView } from './session-schema.ts';

const PATH = '/dashboard/v1/organizations/{account}';
const DONE = { status: 'done' } as const;

/** An organization, its members and the invitations to it. */
export const organizationRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'viewer', answer: schema.organizationView },
    async ({ visitor, accountId }, { accounts }) => {
      const account = accepted(await accounts.find(accountId));
      return {
        id: account.id,
        name: account.name,
        role: roleIn(visitor, accountId)!, // the access `viewer` means that there is one
        created_at: isoTime(account.createdAt),
      };
    },
  ),
  dashboardRoute(
    { method: 'PATCH', path: PATH, access: 'owner', body: schema.organizationChange, answer: doneView },
    async ({ visitor, accountId, body: { name } }, { accounts }) => {
      const changed = await accounts.change(accountId, { name: name.trim() }, visitor.email);
      return changed instanceof Refusal ? changed : DONE;
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/members`, access: 'viewer', answer: schema.membersView },
    async ({ visitor, accountId }, { memberships }) => {
      const members = await memberships.list(accountId);
      return {
        data: members.map((member) => ({ ...memberView(member), is_you: member.id === visitor.userId })),
      };
    },
  ),
  dashboardRoute(
    {
      method: 'PATCH',
      path: `${PATH}/members/{person}`,
      access: 'owner',
      body: schema.memberChange,
      answer: doneView,
    },
    async ({ params, visitor, accountId, body: { role } }, { memberships }) =>
      (await memberships.changeRole(accountId, params.person, role, visitor.email)) ?? DONE,
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${PATH}/members/{person}`, access: 'viewer', answer: doneView },
    async ({ params: { person }, visitor, accountId }, { memberships }) => {
      // Everybody can leave, and owners can remove others.
      if (person !== visitor.userId && roleIn(visitor, accountId) !== 'owner') return onlyOwners();
      return (await memberships.remove(accountId, person, visitor.email)) ?? DONE;
    },
  ),
  dashboardRoute(
    { method: 'GET', path: `${PATH}/invitations`, access: 'owner', answer: schema.invitationsView },
    async ({ accountId }, { invitations }) => ({
      data: (await invitations.list(accountId)).map(invitationView),
    }),
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: `${PATH}/invitations`,
      access: 'owner',
      body: schema.newInvitation,
      answer: schema.invitedView,
    },
    async ({ exchange, visitor, accountId, body }, { invitations, attempts }) => {
      const networks = clientNetworks(exchange);
      const wait = await attempts.count({ kind: 'invitation', networks, subject: accountId });
      if (wait) return wait;
      const invited = accepted(await invitations.invite(accountId, body, visitor.email));
      return { ...invitationView(invited.invitation), mailed: invited.isMailed };
    },
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${PATH}/invitations/{invitation}`, access: 'owner', answer: doneView },
    async ({ params, visitor, accountId }, { invitations }) =>
      (await invitations.withdraw(accountId, params.invitation, visitor.email)) ?? DONE,
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/invitations',
      access: 'person',
      body: schema.acceptBody,
      answer: schema.acceptedView,
    },
    async ({ visitor, body: { token } }, { invitations, store }) => {
      const person = await findPerson(store, visitor.userId);
      // A removed person has no session.
      const organization = await invitations.accept(token, person!);
      return organization instanceof Refusal ? organization : { organization };
    },
  ),
];

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', { message: 'Only owners can remove other members.' });
