import { Refusal } from '../../base/errors/refusal.ts';
import { findPerson } from '../../customers/people/person.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import { invitationView, memberView } from '../admin/people-view.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type DashboardRoute, dashboardRoute } from './dashboard-route.ts';
import * as schema from './organization-schema.ts';
import { doneView } from './session-schema.ts';

const one = '/dashboard/v1/organizations/{account}';
const DONE = { status: 'done' } as const;

/** An organization, its members and the invitations to it. */
export const organizationRoutes = (parts: DashboardParts): DashboardRoute[] => [
  ...ownRoutes(parts),
  ...memberRoutes(parts),
  ...invitationRoutes(parts),
];

const ownRoutes = ({ accounts }: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    method: 'GET',
    path: one,
    access: 'viewer',
    answer: schema.organizationView,
    async handle({ visitor, accountId }) {
      const account = await accounts.find(accountId);
      if (account instanceof Refusal) return account;
      const { role } = visitor.memberships.find((membership) => membership.accountId === accountId)!;
      return {
        id: account.id,
        name: account.name,
        role,
        created_at: new Date(account.createdAt).toISOString(),
      };
    },
  }),
  dashboardRoute({
    method: 'PATCH',
    path: one,
    access: 'owner',
    body: schema.organizationChange,
    answer: doneView,
    async handle({ visitor, accountId, body: { name } }) {
      const changed = await accounts.change(accountId, { name: name.trim() }, visitor.email);
      return changed instanceof Refusal ? changed : DONE;
    },
  }),
];

const memberRoutes = ({ memberships }: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    method: 'GET',
    path: `${one}/members`,
    access: 'viewer',
    answer: schema.membersView,
    async handle({ visitor, accountId }) {
      const members = await memberships.list(accountId);
      return {
        data: members.map((member) => ({ ...memberView(member), is_you: member.id === visitor.userId })),
      };
    },
  }),
  dashboardRoute({
    method: 'PATCH',
    path: `${one}/members/{person}`,
    access: 'owner',
    body: schema.memberChange,
    answer: doneView,
    handle: async ({ exchange, visitor, accountId, body: { role } }) =>
      (await memberships.changeRole(accountId, exchange.params.person!, role, visitor.email)) ?? DONE,
  }),
  dashboardRoute({
    method: 'DELETE',
    path: `${one}/members/{person}`,
    access: 'viewer',
    answer: doneView,
    /** Everybody can leave, and owners can remove others. */
    async handle({ exchange, visitor, accountId }) {
      const person = exchange.params.person!;
      const own = visitor.memberships.find((membership) => membership.accountId === accountId);
      if (person !== visitor.userId && own?.role !== 'owner') return onlyOwners();
      return (await memberships.remove(accountId, person, visitor.email)) ?? DONE;
    },
  }),
];

const invitationRoutes = ({ memberships, attempts, store }: DashboardParts): DashboardRoute[] => [
  dashboardRoute({
    method: 'GET',
    path: `${one}/invitations`,
    access: 'owner',
    answer: schema.invitationsView,
    handle: async ({ accountId }) => ({
      data: (await memberships.invitations(accountId)).map(invitationView),
    }),
  }),
  dashboardRoute({
    method: 'POST',
    path: `${one}/invitations`,
    access: 'owner',
    body: schema.newInvitation,
    answer: schema.invitedView,
    async handle({ exchange, visitor, accountId, body }) {
      const networks = clientNetworks(exchange);
      const wait = await attempts.count({ kind: 'invitation', networks, subject: accountId });
      if (wait) return wait;
      const invited = await memberships.invite(accountId, body, visitor.email);
      if (invited instanceof Refusal) return invited;
      return { ...invitationView(invited.invitation), mailed: invited.isMailed };
    },
  }),
  dashboardRoute({
    method: 'DELETE',
    path: `${one}/invitations/{invitation}`,
    access: 'owner',
    answer: doneView,
    handle: async ({ exchange, visitor, accountId }) =>
      (await memberships.withdraw(accountId, exchange.params.invitation!, visitor.email)) ?? DONE,
  }),
  dashboardRoute({
    method: 'POST',
    path: '/dashboard/v1/me/invitations',
    access: 'person',
    body: schema.acceptBody,
    answer: schema.acceptedView,
    async handle({ visitor, body: { token } }) {
      const person = await findPerson(store, visitor.userId);
      const organization = await memberships.accept(token, person!);
      return organization instanceof Refusal ? organization : { organization };
    },
  }),
];

const onlyOwners = (): Refusal =>
  new Refusal('permission_denied', { message: 'Only owners can remove other members.' });
