import { dashboardRoute } from './dashboard-route.ts';
import { doneView } from './done-view.ts';
import {
  acceptInvitation,
  inviteMember,
  listInvitations,
  withdrawInvitation,
} from './organization-invitations.ts';
import { changeMemberRole, listMembers, removeMember } from './organization-members.ts';
import { renameOrganization, showOrganization } from './organization-profile.ts';
import * as schema from './organization-schema.ts';

const ORGANIZATION = '/dashboard/v1/organizations/{account}';
const MEMBERS = `${ORGANIZATION}/members` as const;
const INVITATIONS = `${ORGANIZATION}/invitations` as const;

/** An organization, its members and the invitations to it. */
export const organizationRoutes = [
  dashboardRoute(
    { method: 'GET', path: ORGANIZATION, access: 'viewer', answer: schema.organizationView },
    showOrganization,
  ),
  dashboardRoute(
    {
      method: 'PATCH',
      path: ORGANIZATION,
      access: 'owner',
      body: schema.organizationChange,
      answer: doneView,
    },
    renameOrganization,
  ),
  dashboardRoute({ method: 'GET', path: MEMBERS, access: 'viewer', answer: schema.membersView }, listMembers),
  dashboardRoute(
    {
      method: 'PATCH',
      path: `${MEMBERS}/{person}`,
      access: 'owner',
      body: schema.memberChange,
      answer: doneView,
    },
    changeMemberRole,
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${MEMBERS}/{person}`, access: 'viewer', answer: doneView },
    removeMember,
  ),
  dashboardRoute(
    { method: 'GET', path: INVITATIONS, access: 'owner', answer: schema.invitationsView },
    listInvitations,
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: INVITATIONS,
      access: 'owner',
      body: schema.newInvitation,
      answer: schema.invitedView,
    },
    inviteMember,
  ),
  dashboardRoute(
    { method: 'DELETE', path: `${INVITATIONS}/{invitation}`, access: 'owner', answer: doneView },
    withdrawInvitation,
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: '/dashboard/v1/me/invitations',
      access: 'person',
      body: schema.acceptBody,
      answer: schema.acceptedView,
    },
    acceptInvitation,
  ),
];
