import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import { memberRoles } from '../../customers/people/visitor.ts';
import { invitation, member } from '../admin/people-view.ts';
import { ADDRESS, NAME } from '../routes/name-texts.ts';

const role = Type.Enum(memberRoles);

/** `GET /dashboard/v1/organizations/{account}` */
export const organizationView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  /** The role of the visitor. */
  role,
  created_at: Type.String(),
});
export type OrganizationView = Static<typeof organizationView>;

/** `PATCH /dashboard/v1/organizations/{account}` */
export const organizationChange = Type.Object({ name: Type.String(NAME) });

/** `GET /dashboard/v1/organizations/{account}/members` */
export const membersView = Type.Object({
  data: Type.Array(Type.Object({ ...member.properties, is_you: Type.Boolean() })),
});
export type MembersView = Static<typeof membersView>;

/** `PATCH /dashboard/v1/organizations/{account}/members/{person}` */
export const memberChange = Type.Object({ role });

/** `GET /dashboard/v1/organizations/{account}/invitations` */
export const invitationsView = Type.Object({ data: Type.Array(invitation) });
export type InvitationsView = Static<typeof invitationsView>;

/** `POST /dashboard/v1/organizations/{account}/invitations`. Inviting an address again sends another link. */
export const newInvitation = Type.Object({ email: Type.String(ADDRESS), role });
export const invitedView = Type.Object({
  ...invitation.properties,
  /** True if the link was mailed. Otherwise an operator must hand it over. */
  mailed: Type.Boolean(),
});
export type InvitedView = Static<typeof invitedView>;

/** `POST /dashboard/v1/me/invitations`, with the token of the page's fragment (`/invitation#token=…`). */
export const acceptBody = Type.Object({ token: Type.String({ minLength: 1, maxLength: 2_000 }) });
export const acceptedView = Type.Object({ organization: Type.String() });
export type AcceptedView = Static<typeof acceptedView>;
